import { Trans, useLingui } from '@lingui/react/macro'
import type { NetworkDescription, PostOptions, SocialSet } from '#contract'
import { FITS } from '#contract/picture-fit'
import { networkName } from '../design/network-icon.tsx'
import { wordsOfOption } from '../language/server-words.ts'
import { isAgreeing } from '../planning/agreements/agreement.ts'
import { fitOf } from '../planning/files/fitted.ts'
import { FIELD_VALUES, fieldHint, fieldName, GROUP_NAMES, wordsOfLabel } from '../planning/posts/field-words.ts'
import { languageChoices } from '../planning/posts/languages.ts'
import { ChoicesList } from './choices-list.tsx'
import classes from './composer.module.css'
import { CoverField } from './cover-field.tsx'
import { does, writtenFields } from './draft.ts'
import type { DraftMedia, DraftPost } from './draft-shape.ts'
import { type Board, BoardField, ListField, OfferedField } from './list-field.tsx'
import { isEmptyValue, SchemaField } from './schema-field.tsx'
import { TrackField } from './track-field.tsx'
import { useChoices } from './use-choices.ts'
import { isMoment, type Moment, PER_SECOND } from './use-cover.ts'

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

type Field = NetworkDescription['fields'][number]
type Option = NetworkDescription['options'][number]

/** So many fields are seen at a glance, without names of their groups. */
const FEW = 4

/** What only this network has: fields and options, as the server declares them and in its order. */
export function NetworkForm({ socialSet, network, post, media, type, errorAt, onChange }: NetworkFormProps) {
  const { t } = useLingui()
  const set = (name: string, value: unknown) =>
    onChange({ fields: { ...post.fields, [name]: value }, ...(name === 'type' ? { typeChosen: true } : {}) })
  const options = (post.fields.options ?? {}) as PostOptions
  const form = network.forms.find((each) => each.type === type) ?? network.forms[0]
  // What another kind of post had stays in sight until it is taken out: the server names it.
  const fields = writtenFields(network).filter(
    (field) =>
      does(field, post) && (form?.fields.includes(field.name) !== false || !isEmptyValue(post.fields[field.name])),
  )
  const lists = useChoices(socialSet, network)
  const name = networkName(network.accountType)
  const video = media.find((item) => item.type === 'VIDEO' && item.upload === null)
  const drawField = ({ name, label, schema, picker }: Field) => {
    const common = {
      label: wordsOfLabel(label, name),
      description: fieldHint(name) ?? '',
      required: form?.demands.includes(name) === true,
      error: errorAt(name),
    }
    const value = name === 'type' ? type : post.fields[name]
    // It is chosen by what is seen there.
    if (isMoment(picker) && !video && isEmptyValue(value)) return null
    if (isMoment(picker) && video) {
      return drawMoment(picker, { name, ...common }, { video, value, choose: (next) => set(name, next) })
    }
    if (picker === 'track') {
      return !isEmptyValue(value) && <TrackField key={name} {...common} onRemove={() => set(name, null)} />
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
  }
  // By what there is: what is of photos alone says nothing beside a video. What is chosen stays until it is taken out.
  const isOption = ({ name, media: of, perPost }: Option) =>
    !(perPost && isAgreeing(network)) &&
    (of === null || media.some(({ type }) => type === of) || !isEmptyValue(options[name]))
  const drawOption = (option: Option) => {
    const { name, title, description, schema, titles, picker } = wordsOfOption(network.accountType, option)
    const common = { label: title, description, error: errorAt(`options.${name}`) }
    const choose = (value: unknown) => set('options', { ...options, [name]: value })
    const value = typeof options[name] === 'string' ? options[name] : null
    const listed = (schema.items as { enum?: string[] } | undefined)?.enum
    if (listed) {
      const chosen = Array.isArray(options[name]) ? options[name] : null
      return (
        <ChoicesList key={name} {...common} values={listed} titles={titles ?? {}} value={chosen} onChange={choose} />
      )
    }
    if (isMoment(picker) && video) {
      return drawMoment(picker, { name, ...common }, { video, value: options[name], choose })
    }
    if (picker === 'photo') {
      const chosen = typeof options[name] === 'number' ? options[name] : null
      return <PhotoField key={name} {...common} count={media.length} value={chosen} onChange={choose} />
    }
    if (picker === 'language') {
      const choices = languageChoices(value)
      return <ListField key={name} {...common} choices={choices} lists={null} value={value} onChange={choose} />
    }
    if (picker === 'category' || picker === 'audience') {
      return <OfferedField key={name} {...common} {...{ picker, titles, lists, value }} onChange={choose} />
    }
    return (
      <SchemaField
        key={name}
        {...common}
        schema={schema}
        picker={picker}
        {...(titles ? { titles } : {})}
        value={options[name]}
        empty={network.defaults.some((each) => each.name === name) ? t`Same as default` : t`Nothing chosen`}
        onChange={choose}
      />
    )
  }
  // Where the network takes every shape, or no picture is there, nothing is to be said.
  const isShaped = form?.shape && media.some((item) => item.type === 'IMAGE')
  const fit = isShaped && (
    <SchemaField
      label={fieldName('fit')}
      description={fieldHint('fit') ?? ''}
      schema={{ enum: FITS }}
      titles={FIELD_VALUES}
      value={fitOf(post.fields, socialSet)}
      error={errorAt('fit')}
      onChange={(next) => set('fit', next)}
    />
  )
  const drawn = [
    ...fields.map((field) => ({ ...field, draw: () => drawField(field) })),
    ...network.options.filter(isOption).map((option) => ({ ...option, draw: () => drawOption(option) })),
  ].sort((a, b) => a.order - b.order)
  if (drawn.length === 0 && !fit) return null
  const groups = [...Map.groupBy(drawn, ({ group }) => group)]
  return (
    <section aria-label={t`Only on ${name}`}>
      <div className={classes.label}>
        <h3>
          <Trans>Only on {name}</Trans>
        </h3>
      </div>
      {groups.map(([group, entries]) => (
        <div key={group} className={classes.fieldGroup}>
          {drawn.length > FEW && groups.length > 1 && group !== 'post' && <h4>{GROUP_NAMES[group]}</h4>}
          <div className={classes.fields}>{entries.map(({ draw }) => draw())}</div>
        </div>
      ))}
      {fit && <div className={classes.fieldGroup}>{fit}</div>}
    </section>
  )
}

interface PhotoFieldProps {
  label: string
  description: string
  error: string | null
  /** Of the photos of the post. */
  count: number
  /** Counted from 0, as the API has it; people count from 1. */
  value: number | null
  onChange: (value: number | null) => void
}

/** One of the photos of a post. */
function PhotoField({ count, value, onChange, ...words }: PhotoFieldProps) {
  const { t } = useLingui()
  // What was chosen of photos that are gone is seen as long as it is chosen.
  const photos = Array.from({ length: Math.max(count, (value ?? 0) + 1) }, (_, index) => String(index))
  const titles = Object.fromEntries(
    photos.map((index) => {
      const number = Number(index) + 1
      return [index, t`Photo ${number}`]
    }),
  )
  return (
    <SchemaField
      {...words}
      schema={{ enum: photos }}
      titles={titles}
      value={value}
      empty={t`Nothing chosen`}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  )
}

/** The frame of a video that is its cover, written as the network takes it. */
function drawMoment(
  picker: Moment,
  { name, ...words }: { name: string; label: string; description: string; error: string | null },
  { video, value, choose }: { video: DraftMedia; value: unknown; choose: (value: number | null) => void },
) {
  const perSecond = PER_SECOND[picker]
  return (
    <CoverField
      key={`${name} ${video.mediaLibraryId}`}
      {...words}
      video={video}
      value={typeof value === 'number' ? value / perSecond : null}
      onChange={(seconds) => choose(seconds === null || perSecond === 1 ? seconds : Math.round(seconds * perSecond))}
    />
  )
}
