import { i18n, type MessageDescriptor } from '@lingui/core'

/** Constant words by key, each read in the language that is shown: `translated({ DRAFT: msg`Draft` }).DRAFT`. */
export function translated<K extends PropertyKey>(messages: Readonly<Record<K, MessageDescriptor>>): Record<K, string> {
  const getters = Object.entries<MessageDescriptor>(messages).map(([key, message]) => [
    key,
    { enumerable: true, get: () => i18n._(message) },
  ])
  return Object.defineProperties({} as Record<K, string>, Object.fromEntries(getters))
}
