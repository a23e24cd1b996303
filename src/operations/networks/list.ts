import {
  type AccountType,
  type AskedQuery,
  accountTypeEntry,
  FIELD_GROUPS,
  LIMITS,
  type NetworkDescription,
  type Page,
  type PageQuery,
  pageAnswer,
  rowsAsked,
  takesThread,
} from '#contract'
import { defaultsOf, type Manifest, type Networks, optionsOf } from '#networks'

/**
 * A page of what account types accept, by network. The same for every caller.
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

/** What the account types of all networks accept. */
export function describeNetworks(networks: Networks): NetworkDescription[] {
  return networks.all.flatMap(({ manifest }) =>
    manifest.accountTypes.map((accountType) => ({
      accountType,
      network: manifest.name,
      title: manifest.title,
      ...formOf(manifest, accountType),
      thread: takesThread(accountType) ? { parts: LIMITS.threadParts } : null,
      forms: (manifest.forms[accountType] ?? []).map((form) => ({
        ...form,
        shape: form.shape ?? null,
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
      agreement: manifest.agreement ?? null,
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

/** What a post of an account type is written with, each with its place in the form. */
function formOf(manifest: Manifest, accountType: AccountType): Pick<NetworkDescription, 'fields' | 'options'> {
  const fields = Object.entries(accountTypeEntry(accountType).fields)
  const options = optionsOf(manifest, accountType)
  const placed = [
    ...fields.map(([name, { group = 'post' }]) => ({ label: `field:${name}`, group })),
    ...options.map(({ name, group = 'post' }) => ({ label: `option:${accountType}:${name}`, group })),
  ]
  const inOrder = placed.toSorted((a, b) => FIELD_GROUPS.indexOf(a.group) - FIELD_GROUPS.indexOf(b.group))
  const at = (index: number) => {
    const { label, group } = placed[index] as (typeof placed)[number]
    return { label, group, order: inOrder.findIndex((each) => each.label === label) }
  }
  return {
    fields: fields.map(([name, { required, schema, picker = null, when }], index) => ({
      name,
      required,
      schema: { ...schema },
      picker,
      ...at(index),
      when: when ? { field: when.field, values: [...when.values] } : null,
    })),
    options: options.map(({ name, title, description, schema, titles = null, picker = null, ...field }, index) => ({
      name,
      title,
      description,
      schema: { ...schema },
      titles,
      picker,
      required: field.required,
      perPost: field.perPost === true,
      media: field.media ?? null,
      ...at(fields.length + index),
    })),
  }
}
