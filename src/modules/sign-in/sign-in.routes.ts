import {
  route,
  text,
  type DocumentSchemas,
  type HttpRoute,
  type RouteAnswer,
} from '../../catalog/route/index.js';

/** Calls of pages, which send a cookie in place of a token. */
const open = { open: true, parameters: {} } as const;
/** Statuses besides those of any body: the page is of another origin, and too many attempts. */
const SIGN_IN_ERRORS = [400, 401, 403, 429, 503];

const field = (description: string) => ({ type: 'string' as const, description });
/** Tools that try a call out hide what is typed. An example is empty: it is for the person to say. */
const secret = (description: string) => ({ ...field(description), format: 'password' });
const NOTHING = { type: 'object' as const, maxProperties: 0 };

const signedIn = (schemas: DocumentSchemas): Record<200, RouteAnswer> => ({
  200: {
    description: 'The session has begun.',
    schema: schemas.component('SignedIn', () => ({
      type: 'object',
      required: ['actor', 'expiresAt'],
      properties: {
        actor: { type: 'string', description: 'URN of the user.' },
        expiresAt: {
          type: 'integer',
          format: 'int64',
          description: 'When the session ends, epoch milliseconds.',
        },
      },
    })),
    example: { actor: 'urn:li:corpuser:ines.okafor', expiresAt: 1788307200000 },
    headers: {
      'Set-Cookie': { description: 'The session, and who is signed in.', schema: { type: 'string' } },
    },
  },
});

/** A call with which a session begins. */
const beginsSession = (
  declared: Pick<HttpRoute, 'path' | 'operation' | 'summary' | 'description' | 'body'>,
) =>
  route({
    ...open,
    method: 'post',
    answer: '{actor, expiresAt}',
    answers: signedIn,
    errors: SIGN_IN_ERRORS,
    ...declared,
  });

export const logIn = beginsSession({
  path: '/logIn',
  operation: 'logIn',
  summary: 'Signs a person in; the session is a cookie',
  description:
    'Takes a user name with the password of the account or an access token of the user, or an access token alone. ' +
    'An unknown user and a wrong password are answered alike: 400.',
  body: () => ({
    schema: {
      type: 'object',
      properties: {
        username: field('Name of the user.'),
        password: secret('The password of the account, or an access token of the user.'),
        token: secret('An access token, in place of both.'),
      },
    },
    example: { username: 'ines.okafor', password: '' },
  }),
});

export const signUp = beginsSession({
  path: '/signUp',
  operation: 'signUp',
  summary: 'Makes the account of a person who was invited, and signs the person in',
  description:
    'The name of a user who exists is refused. Beside an identity provider administrators make all accounts.',
  body: () => ({
    schema: {
      type: 'object',
      required: ['inviteToken', 'email', 'fullName', 'password'],
      properties: {
        inviteToken: secret('The invitation.'),
        email: field('Name of the user.'),
        fullName: field('What the user is called.'),
        title: field('The position.'),
        password: secret('The password: 10 characters or more.'),
      },
    },
    example: { inviteToken: '', email: 'mara.lind@example.org', fullName: 'Mara Lind', password: '' },
  }),
});

export const setPassword = beginsSession({
  path: '/resetNativeUserCredentials',
  operation: 'setPassword',
  summary: 'Sets the password of an account with what an administrator gave, and signs the person in',
  description: 'Works once. All sessions of the account end, and the tokens that were made in them.',
  body: () => ({
    schema: {
      type: 'object',
      required: ['resetToken', 'password'],
      properties: {
        resetToken: secret('What an administrator gave the person.'),
        email: field('Name of the user, to be checked.'),
        password: secret('The password: 10 characters or more.'),
      },
    },
    example: { resetToken: '', email: 'ines.okafor', password: '' },
  }),
});

export const logOut = route({
  ...open,
  method: 'post',
  path: '/logOut',
  operation: 'logOut',
  summary: 'Ends the session of the cookie',
  description: 'Without a session nothing happens.',
  answer: '{}',
  answers: () => ({ 200: { description: 'No session goes on.', schema: NOTHING, example: {} } }),
  errors: [403, 429, 503],
});

/** Shown in the documents. */
export const SIGN_IN_ROUTES = [logIn, signUp, setPassword, logOut];

/** Not in the documents: addresses that browsers open, and what the pages of the field's web client ask besides. */
const forPages = <
  const R extends Pick<HttpRoute, 'path' | 'operation' | 'summary' | 'answer' | 'parameters'>,
>(
  declared: R,
  method: HttpRoute['method'] = 'get',
) => route({ open: true, method, description: 'For pages.', answers: () => ({}), errors: [], ...declared });

export const leaveBySignOut = forPages({
  path: '/logOut',
  operation: 'leaveBySignOut',
  summary: 'Ends the session of the cookie, and leads to the page where people sign in',
  answer: '302',
  parameters: {},
});

export const authenticate = forPages({
  path: '/authenticate',
  operation: 'authenticate',
  summary: 'Leads who is signed in to a page, and others to where they can',
  answer: '302',
  parameters: { redirect_uri: text('a path of this service') },
});

export const track = forPages(
  {
    path: '/track',
    operation: 'track',
    summary: 'Takes what a page says of its use, and drops it',
    answer: '{}',
    parameters: {},
  },
  'post',
);
export const trackByOpenapi = { ...track, path: '/openapi/v1/tracking/track' };

export const otherPages = forPages({
  path: '/mfe/config',
  operation: 'otherPages',
  summary: 'Which pages of others a web client shows: none',
  answer: 'YAML',
  parameters: {},
});

export const frontServerHealth = forPages({
  path: '/admin',
  operation: 'frontServerHealth',
  summary: 'That the server of the pages runs',
  answer: 'GOOD',
  parameters: {},
});
