import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { read } from '../api.js';
import {
  EditDescription,
  EditDomain,
  EditLinks,
  EditOwners,
  EditProperties,
  EditTags,
  EditTerms,
} from '../edits/controls.js';
import { useEditing } from '../edits/editing.js';
import { ownershipText } from '../edits/owners.js';
import { Long } from '../long.js';
import { kindPath, type Kind } from '../model/model.js';
import { Chips } from './columns.js';
import type { Facts } from './facts.js';
import { EntityLink, useNames } from './names.js';
import { Structured } from './structured.js';

const Markdown = lazy(() => import('./markdown.js'));

/** What people look for first: what it is, who answers for it, where it belongs. */
export function Overview({ urn, facts }: { urn: string; facts: Facts }) {
  const { description, owners, tags, terms, domains, links, structured, custom } = facts;
  const nameOf = useNames();
  const { may } = useEditing();
  const has = useHas(urn);
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
        <Fact title="Owners" there={owners.length > 0} can={has('ownership')} control={<EditOwners />}>
          <Long
            items={owners}
            list={(shown) => (
              <ul className="plain">
                {shown.map(({ urn, type }) => (
                  <li key={`${urn} ${type}`}>
                    <EntityLink urn={urn} /> <span className="quiet">{ownershipText(type, nameOf)}</span>
                  </li>
                ))}
              </ul>
            )}
          />
        </Fact>
        <Fact title="Domain" there={domains.length > 0} can={has('domains')} control={<EditDomain />}>
          <Chips urns={domains} />
        </Fact>
        <Fact title="Tags" there={tags.length > 0} can={has('globalTags')} control={<EditTags />}>
          <Chips urns={tags} />
        </Fact>
        <Fact title="Terms" there={terms.length > 0} can={has('glossaryTerms')} control={<EditTerms />}>
          <Chips urns={terms} />
        </Fact>
        {(structured.length > 0 || may('canEditProperties')) && (
          <Fact title="Structured properties" there={structured.length > 0} control={<EditProperties />}>
            <Structured assigned={structured} />
          </Fact>
        )}
        {(links.length > 0 || may('canEditLinks')) && (
          <Fact title="Links" there={links.length > 0} control={<EditLinks />}>
            <Long
              items={links}
              list={(shown) => (
                <ul className="plain">
                  {shown.map(({ url, label }) => (
                    <li key={`${url} ${label}`}>
                      {/^https?:\/\//i.test(url) ? (
                        <a href={url} rel="noreferrer noopener" target="_blank">
                          {label || url}
                        </a>
                      ) : (
                        `${label}: ${url}`
                      )}
                    </li>
                  ))}
                </ul>
              )}
            />
          </Fact>
        )}
      </div>
    </div>
  );
}

/** What aspects entities of a type can have, as the model says; any while it has not been read. */
function useHas(urn: string): (aspect: string) => boolean {
  const type = urn.split(':')[2] ?? '';
  const { data } = useQuery({
    queryKey: ['kind', type],
    queryFn: ({ signal }) => read<Kind>(kindPath(type), signal),
    staleTime: Infinity,
  });
  return (aspect) => data === undefined || data.aspectSpecs.some(({ name }) => name === aspect);
}

interface FactProps {
  readonly title: string;
  readonly there: boolean;
  /** Whether entities of the type can have it. */
  readonly can?: boolean;
  readonly control?: ReactNode;
  readonly children: ReactNode;
}

function Fact({ title, there, can = true, control, children }: FactProps) {
  if (!there && !can) return null;
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
