import { Trans, useLingui } from '@lingui/react/macro'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { NetworkDescription, PostOptions, SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { wordsOfOption } from '../language/server-words.ts'
import { FIELD_VALUES, fieldHint, fieldName } from '../planning/field-words.ts'
import classes from './composer.module.css'
import { CoverField } from './cover-field.tsx'
import { type DraftMedia, type DraftPost, writtenFields } from './draft.ts'
import { SchemaField } from './schema-field.tsx'

/** The field of networks that take a frame of the first video as its cover. */
const COVER = 'videoCoverImage'

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
  const fields = writtenFields(network)
  const board = network.fields.some(({ name }) => name === 'board')
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
        {fields.map(({ name, required, schema }) => {
          const label = fieldName(name)
          const description = fieldHint(name) ?? ''
          if (name === COVER && video) {
            const seconds = post.fields[name]
            return (
              <CoverField
                key={`${name} ${video.mediaLibraryId}`}
                label={label}
                description={description}
                video={video}
                value={typeof seconds === 'number' ? seconds : null}
                error={errorAt(name)}
                onChange={(value) => set(name, value)}
              />
            )
          }
          return (
            <SchemaField
              key={name}
              label={label}
              description={description}
              // What has a value of its own from the start needs no asterisk.
              required={required && schema.type === 'string' && !Array.isArray(schema.enum)}
              schema={schema}
              titles={FIELD_VALUES}
              value={name === 'type' ? type : post.fields[name]}
              error={errorAt(name)}
              onChange={(value) => set(name, value)}
            />
          )
        })}
        {board && <BoardField socialSet={socialSet} post={post} onChange={(value) => set('board', value)} />}
        {network.options.map((option) => {
          const { name, title, description, schema, titles } = wordsOfOption(network.accountType, option)
          return (
            <SchemaField
              key={name}
              label={title}
              description={description}
              schema={schema}
              {...(titles ? { titles } : {})}
              value={options[name]}
              empty={t`Same as default`}
              error={errorAt(`options.${name}`)}
              onChange={(value) => set('options', { ...options, [name]: value })}
            />
          )
        })}
      </div>
    </section>
  )
}

interface BoardFieldProps {
  socialSet: SocialSet
  post: DraftPost
  onChange: (board: { id: string; name: string } | null) => void
}

/** The boards that the network offers the account, to those who may see its settings; the others use the default. */
function BoardField({ socialSet, post, onChange }: BoardFieldProps) {
  const { t } = useLingui()
  const may = useMay('connections:manage')
  const account = socialSet.accounts.find(({ type }) => type === post.accountType)
  const id = account?.id ?? ''
  const { data } = useQuery({
    queryKey: [...queryKeys.connections.one(id), 'defaults'],
    queryFn: ({ signal }) => call('GET /connections/:id/defaults', { params: { id }, signal }),
    enabled: may && account !== undefined,
    staleTime: 60_000,
  })
  const chosen = post.fields.board as { id: string; name: string } | null | undefined
  const offered = data?.fields.find(({ name }) => name === 'board')?.options ?? []
  const boards = offered.map(({ value, title }) => ({ id: value, name: title }))
  if (chosen && !boards.some(({ id }) => id === chosen.id)) boards.push(chosen)
  if (boards.length === 0) return null
  return (
    <NativeSelect
      label={t`Board`}
      value={chosen?.id ?? ''}
      data={[{ value: '', label: t`Same as default` }, ...boards.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={({ currentTarget: { value } }) => onChange(boards.find(({ id }) => id === value) ?? null)}
    />
  )
}
