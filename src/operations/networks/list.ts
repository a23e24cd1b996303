import { accountTypeEntry, type NetworkDescription, type Page, pageAnswer, readQuery } from '#contract'
import { defaultsOf, type Networks, optionsOf } from '#networks'

/**
 * A page of what account types take, by network. The same for every caller. `query` is the query string: `page`, `size`.
 *
 * @throws ProblemError `request:invalid_query`
 */
export function listNetworks({ networks }: { networks: Networks }, query: string): Page<NetworkDescription> {
  const reader = readQuery(query)
  const page = reader.page()
  reader.finish()
  const all = describeNetworks(networks)
  const begin = (page.page - 1) * page.size
  return pageAnswer(all.slice(begin, begin + page.size), page, all.length)
}

/** What the account types of all networks take. */
export function describeNetworks(networks: Networks): NetworkDescription[] {
  return networks.all.flatMap(({ manifest }) =>
    manifest.accountTypes.map((accountType) => ({
      accountType,
      network: manifest.name,
      title: manifest.title,
      fields: Object.entries(accountTypeEntry(accountType).fields).map(([name, { required, schema }]) => ({
        name,
        required,
        schema: { ...schema },
      })),
      options: optionsOf(manifest, accountType).map(({ name, title, description, schema, titles = null }) => ({
        name,
        title,
        description,
        schema: { ...schema },
        titles,
      })),
      forms: [...(manifest.forms[accountType] ?? [])],
      defaults: defaultsOf(manifest, accountType).map(
        ({ name, title, description, required, schema, titles = null }) => ({
          name,
          title,
          description,
          required,
          schema: { ...schema },
          titles,
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
