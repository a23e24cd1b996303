// Fields that posts of single networks have, and the values that the API lists for them, in words.
import { msg } from '@lingui/core/macro'
import type { ACCOUNT_TYPES, AccountType, FieldGroup } from '#contract'
import { words } from '../../design/words.ts'
import { translated } from '../../language/translated.ts'
import { KINDS } from './kind-words.ts'

/** Every field of `ACCOUNT_TYPES`, by its key in `GET /v1/networks`: one without a name here does not compile. */
type FieldName = { [T in AccountType]: keyof (typeof ACCOUNT_TYPES)[T]['fields'] }[AccountType]

const FIELDS: Readonly<Record<string, string>> = translated<`field:${FieldName | 'thread' | 'options' | 'fit'}`>({
  'field:type': msg`Kind of post`,
  'field:title': msg`Title`,
  'field:firstComment': msg`First comment`,
  'field:collaborators': msg`Collaborators`,
  'field:audio': msg`Sound`,
  'field:audioName': msg`Name of the sound`,
  'field:videoCoverImage': msg`Cover frame`,
  'field:videoCoverImageSeconds': msg`Cover frame`,
  'field:ctaType': msg`Button`,
  'field:ctaUrl': msg`Button link`,
  'field:website': msg`Link`,
  'field:privacy': msg`Who can see it`,
  'field:board': msg`Board`,
  'field:richCaption': msg`Mentions in the caption`,
  'field:thread': msg`Further parts`,
  'field:options': msg`Settings of the network`,
  'field:fit': msg`Pictures of another shape`,
})

/** What fields that stand together are about. */
export const GROUP_NAMES: Readonly<Record<FieldGroup, string>> = translated({
  post: msg`Post`,
  audience: msg`Audience`,
  interaction: msg`What others may do`,
  disclosure: msg`Disclosure`,
})

const HINTS: Readonly<Record<string, string>> = translated({
  firstComment: msg`Written below the post as soon as it is published.`,
  collaborators: msg`Handles, separated by commas.`,
  audioName: msg`Shown on the reel in place of “Original audio”.`,
  videoCoverImage: msg`The moment of the video that is shown before it plays.`,
  videoCoverImageSeconds: msg`The moment of the video that is shown before it plays.`,
  fit: msg`What becomes of a picture that the network does not take as it is. What you crop yourself stays.`,
})

/** Of all fields: no value means two things. */
export const FIELD_VALUES: Readonly<Record<string, string>> = translated({
  ...KINDS,
  TEXT: msg`Text`,
  IMAGE: msg`Picture`,
  MULTI_IMAGE: msg`Several pictures`,
  NONE: msg`No button`,
  SIGN_UP: msg`Sign up`,
  CALL: msg`Call`,
  SHOP: msg`Shop`,
  LEARN_MORE: msg`Learn more`,
  ORDER: msg`Order online`,
  BOOK: msg`Book`,
  PUBLIC: msg`Public`,
  PRIVATE: msg`Private`,
  UNLISTED: msg`Unlisted`,
  CROP: msg`Cut to fit`,
  PAD: msg`Fill with soft edges`,
  REFUSE: msg`Refuse them`,
})

/** What is written below a post as its first comment; empty: nothing. */
export function commentIn(fields: Readonly<Record<string, unknown>>): string {
  const text =
    fields.firstComment ?? (fields.options as Readonly<Record<string, unknown>> | null | undefined)?.firstComment
  return typeof text === 'string' ? text.trim() : ''
}

/** "First comment"; of a field that is newer than this page, its name as words. */
export const fieldName = (name: string) => wordsOfLabel(`field:${name}`, name)

/** The same by the key that the server has for it. */
export const wordsOfLabel = (label: string, name: string) => own(FIELDS, label) ?? words(name)

/** What to know when it is filled in; null: nothing. */
export const fieldHint = (name: string) => own(HINTS, name) ?? null

/** "Several pictures" of `MULTI_IMAGE`. */
export const fieldValue = (value: string) => own(FIELD_VALUES, value) ?? words(value)

/** A sentence of the server that names values and fields of the API, with what they are called on screen: “Several pictures”. */
export const withValueNames = (sentence: string) =>
  sentence.replace(/\b(?:[A-Z]{2,}(?:_[A-Z]+)*|[a-z]+(?:[A-Z][a-z]+)+)\b/g, (value) => {
    const name = own(FIELD_VALUES, value) ?? own(FIELDS, `field:${value}`)
    return name === undefined ? value : `“${name}”`
  })

function own(names: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}
