import { lazy, Suspense, type ReactNode } from 'react';
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
import { Chips } from './columns.js';
import type { Facts } from './facts.js';
import { EntityLink, useNames } from './names.js';
import { Structured } from './structured.js';

const Markdown = lazy(() => import('./markdown.js'));

/** What people look for first: what it is, who answers for it, where it belongs. */
export function Overview({ facts }: { facts: Facts }) {
  const { description, owners, tags, terms, domains, links, structured, custom } = facts;
  const nameOf = useNames();
  const { may } = useEditing();
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
        <Fact title="Owners" there={owners.length > 0} control={<EditOwners />}>
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
        <Fact title="Domain" there={domains.length > 0} control={<EditDomain />}>
          <Chips urns={domains} />
        </Fact>
        <Fact title="Tags" there={tags.length > 0} control={<EditTags />}>
          <Chips urns={tags} />
        </Fact>
        <Fact title="Terms" there={terms.length > 0} control={<EditTerms />}>
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
