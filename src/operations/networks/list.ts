import {
  type AskedQuery,
  accountTypeEntry,
  LIMITS,
  type NetworkDescription,
  type Page,
  type PageQuery,
  pageAnswer,
  rowsAsked,
  takesThread,
} from '#contract'
import { defaultsOf, type Networks, optionsOf } from '#networks'

/**
 * A page of what account types take, by network. The same for every caller.
 *
 * @throws ProblemError `request:invalid_query`
 */
export function listNetworks(
  { networks }: { networks: Networks },
  query: AskedQuery<PageQuery>,
): Page<NetworkDescription> {
  const page = rowsAsked(query.read())
  const all = describeNetworks(networks)
  return pageAnswer(all.slice(page.offset, page.offset + page.limit), page, all.length)
}

/** What the account types of all networks take. */
export function describeNetworks(networks: Networks): NetworkDescription[] {
  return networks.all.flatMap(({ manifest }) =>
    manifest.accountTypes.map((accountType) => ({
      accountType,
      network: manifest.name,
      title: manifest.title,
      fields: Object.entries(accountTypeEntry(accountType).fields).map(
        ([name, { required, schema, picker = null }]) => ({ name, required, schema: { ...schema }, picker }),
      ),
      thread: takesThread(accountType) ? { parts: LIMITS.threadParts } : null,
      options: optionsOf(manifest, accountType).map(
        ({ name, title, description, schema, titles = null, picker = null }) => ({
          name,
          title,
          description,
          schema: { ...schema },
          titles,
          picker,
        }),
      ),
      forms: (manifest.forms[accountType] ?? []).map((form) => ({
        ...form,
        fields: [...(form.fields ?? Object.keys(accountTypeEntry(accountType).fields))],
        demands: [...(form.demands ?? [])],
      })),
      defaults: defaultsOf(manifest, accountType).map(
        ({ name, title, description, required, schema, titles = null, picker = null }) => ({
          name,
          title,
          description,
          required,
          schema: { ...schema },
          titles,
          picker,
        }),
      ),
      limits: Object.entries(manifest.limits).map(([name, { value, unit, source, read, unsure }]) => ({
        name,
        value,
        unit,
        source,
        read,
        unsure: unsure ?? null,
      })),
    })),
  )
}
