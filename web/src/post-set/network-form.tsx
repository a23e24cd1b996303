import { Trans, useLingui } from '@lingui/react/macro'
import type { NetworkDescription, PostOptions, SocialSet } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { wordsOfOption } from '../language/server-words.ts'
import { FIELD_VALUES, fieldHint, fieldName } from '../planning/field-words.ts'
import { languageChoices } from '../planning/languages.ts'
import classes from './composer.module.css'
import { CoverField } from './cover-field.tsx'
import { type DraftMedia, type DraftPost, writtenFields } from './draft.ts'
import { type Board, BoardField, ListField } from './list-field.tsx'
import { isEmptyValue, SchemaField } from './schema-field.tsx'
import { useChoices } from './use-choices.ts'

interface NetworkFormProps {
  socialSet: SocialSet
  network: NetworkDescription
  post: DraftPost
  media: readonly DraftMedia[]
  /** The kind of post that the files lead to, or that was chosen. */
  type: string | null
  errorAt: (field: string) => string | null
  onChange: (change: Partial<DraftPost>) => void
}

/** What only this network has: fields and options, as the server declares them. */
export function NetworkForm({ socialSet, network, post, media, type, errorAt, onChange }: NetworkFormProps) {
  const { t } = useLingui()
  const set = (name: string, value: unknown) =>
    onChange({ fields: { ...post.fields, [name]: value }, ...(name === 'type' ? { typeChosen: true } : {}) })
  const options = (post.fields.options ?? {}) as PostOptions
  const form = network.forms.find((each) => each.type === type) ?? network.forms[0]
  // What another kind of post had stays in sight until it is taken out: the server names it.
  const fields = writtenFields(network).filter(
    ({ name }) => form?.fields.includes(name) !== false || !isEmptyValue(post.fields[name]),
  )
  const lists = useChoices(socialSet, network)
  const name = networkName(network.accountType)
  const video = media.find((item) => item.type === 'VIDEO' && item.upload === null)
  if (fields.length + network.options.length === 0) return null
  return (
    <section aria-label={t`Only on ${name}`}>
      <div className={classes.label}>
        <h3>
          <Trans>Only on {name}</Trans>
        </h3>
      </div>
      <div className={classes.fields}>
        {fields.map(({ name, schema, picker }) => {
          const common = {
            label: fieldName(name),
            description: fieldHint(name) ?? '',
            required: form?.demands.includes(name) === true,
            error: errorAt(name),
          }
          const value = name === 'type' ? type : post.fields[name]
          // It is chosen by what is seen there.
          if (picker === 'moment' && !video && isEmptyValue(value)) return null
          if (picker === 'moment' && video) {
            return (
              <CoverField
                key={`${name} ${video.mediaLibraryId}`}
                {...common}
                video={video}
                value={typeof value === 'number' ? value : null}
                onChange={(next) => set(name, next)}
              />
            )
          }
          if (picker === 'board') {
            return (
              <BoardField
                key={name}
                {...common}
                lists={lists}
                value={(value ?? null) as Board | null}
                onChange={(board) => set(name, board)}
              />
            )
          }
          return (
            <SchemaField
              key={name}
              {...common}
              schema={schema}
              picker={picker}
              titles={FIELD_VALUES}
              value={value}
              onChange={(next) => set(name, next)}
            />
          )
        })}
        {network.options.map((option) => {
          const { name, title, description, schema, titles, picker } = wordsOfOption(network.accountType, option)
          const common = { label: title, description, error: errorAt(`options.${name}`) }
          const choose = (value: unknown) => set('options', { ...options, [name]: value })
          if (picker === 'category' || picker === 'language') {
            const value = typeof options[name] === 'string' ? options[name] : null
            const choices = picker === 'language' ? languageChoices(value) : (lists.list(picker)?.options ?? [])
            return <ListField key={name} {...common} choices={choices} lists={lists} value={value} onChange={choose} />
          }
          return (
            <SchemaField
              key={name}
              {...common}
              schema={schema}
              {...(titles ? { titles } : {})}
              value={options[name]}
              empty={t`Same as default`}
              onChange={choose}
            />
          )
        })}
      </div>
    </section>
  )
}
