// Fields that posts of single networks have, and the values that the API lists for them, in words.
import { msg } from '@lingui/core/macro'
import type { ACCOUNT_TYPES, AccountType } from '#contract'
import { words } from '../design/words.ts'
import { translated } from '../language/translated.ts'
import { KINDS } from './kind-words.ts'

/** Every field of `ACCOUNT_TYPES`: one without a name here does not compile. */
type FieldName = { [T in AccountType]: keyof (typeof ACCOUNT_TYPES)[T]['fields'] }[AccountType]

const FIELDS: Readonly<Record<string, string>> = translated<FieldName | 'options'>({
  type: msg`Kind of post`,
  title: msg`Title`,
  firstComment: msg`First comment`,
  collaborators: msg`Collaborators`,
  audio: msg`Sound`,
  audioName: msg`Name of the sound`,
  videoCoverImage: msg`Cover frame`,
  videoCoverImageSeconds: msg`Cover frame`,
  ctaType: msg`Button`,
  ctaUrl: msg`Button link`,
  website: msg`Link`,
  privacy: msg`Who can see it`,
  board: msg`Board`,
  richCaption: msg`Mentions in the caption`,
  options: msg`Settings of the network`,
})

const HINTS: Readonly<Record<string, string>> = translated({
  firstComment: msg`Written below the post as soon as it is published.`,
  collaborators: msg`Handles, separated by commas.`,
  audioName: msg`What the sound of the reel is called.`,
  videoCoverImage: msg`The moment of the video that is shown before it plays.`,
  videoCoverImageSeconds: msg`The moment of the video that is shown before it plays.`,
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
})

/** "First comment"; of a field that is newer than this page, its name as words. */
export const fieldName = (name: string) => own(FIELDS, name) ?? words(name)

/** What to know when it is filled in; null: nothing. */
export const fieldHint = (name: string) => own(HINTS, name) ?? null

/** "Several pictures" of `MULTI_IMAGE`. */
export const fieldValue = (value: string) => own(FIELD_VALUES, value) ?? words(value)

/** A sentence of the server that names values and fields of the API, with what they are called on screen: “Several pictures”. */
export const withValueNames = (sentence: string) =>
  sentence.replace(/\b(?:[A-Z]{2,}(?:_[A-Z]+)*|[a-z]+(?:[A-Z][a-z]+)+)\b/g, (value) => {
    const name = own(FIELD_VALUES, value) ?? own(FIELDS, value)
    return name === undefined ? value : `“${name}”`
  })

function own(names: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}
