import { lazy, Suspense, type ReactNode } from 'react';
import { EditDescription, EditTags, EditTerms } from '../edits/controls.js';
import { inWords, lastOf } from '../words.js';
import { Chips } from './columns.js';
import type { Facts } from './facts.js';
import { EntityLink, isUrn } from './names.js';

const Markdown = lazy(() => import('./markdown.js'));

/** What people look for first: what it is, who answers for it, where it belongs. */
export function Overview({ facts }: { facts: Facts }) {
  const { description, owners, tags, terms, domains, links, structured, custom } = facts;
  return (
    <div className="overview">
      <section aria-label="Description">
        <EditDescription />
        {description === undefined ? (
          <p className="quiet">Nobody has described it.</p>
        ) : (
          <Suspense fallback={<p className="lines">{description}</p>}>
            <Markdown text={description} />
          </Suspense>
        )}
        {custom.length > 0 && (
          <>
            <h2>Properties</h2>
            <dl className="fields">
              {custom.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </section>
      <div className="side">
        <Fact title="Owners" there={owners.length > 0}>
          <ul className="plain">
            {owners.map(({ urn, kind }) => (
              <li key={`${urn} ${kind}`}>
                <EntityLink urn={urn} /> <span className="quiet">{kindText(kind)}</span>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact title="Domain" there={domains.length > 0}>
          <Chips urns={domains} />
        </Fact>
        <Fact title="Tags" there={tags.length > 0} control={<EditTags />}>
          <Chips urns={tags} />
        </Fact>
        <Fact title="Terms" there={terms.length > 0} control={<EditTerms />}>
          <Chips urns={terms} />
        </Fact>
        {structured.length > 0 && (
          <Fact title="Structured properties" there>
            <dl className="fields">
              {structured.map(({ urn, values }) => (
                <div key={urn}>
                  <dt>
                    <EntityLink urn={urn} plain />
                  </dt>
                  <dd>
                    {values.map((value, index) => (
                      <span key={value} className="lines">
                        {index > 0 && ', '}
                        {typeof value === 'string' && isUrn(value) ? <EntityLink urn={value} /> : value}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </Fact>
        )}
        {links.length > 0 && (
          <Fact title="Links" there>
            <ul className="plain">
              {links.map(({ url, label }) => (
                <li key={`${url} ${label}`}>
                  {/^https?:\/\//i.test(url) ? (
                    <a href={url} rel="noreferrer noopener" target="_blank">
                      {label}
                    </a>
                  ) : (
                    `${label}: ${url}`
                  )}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </div>
    </div>
  );
}

function kindText(kind: string): string {
  return inWords(isUrn(kind) ? lastOf(kind).replace(/^_+|system__/g, '') : kind);
}

interface FactProps {
  readonly title: string;
  readonly there: boolean;
  readonly control?: ReactNode;
  readonly children: ReactNode;
}

function Fact({ title, there, control, children }: FactProps) {
  return (
    <section>
      <div className="heading">
        <h2>{title}</h2>
        {control}
      </div>
      {there ? children : <p className="quiet">None</p>}
    </section>
  );
}
