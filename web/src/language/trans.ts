import { Trans as Message, type TransProps } from '@lingui/react'
import { createElement } from 'react'

/**
 * Lingui's component, for messages with what people wrote in them: it puts values into a message first and looks for tags in
 * it then, so that a name such as `<constructor>x</constructor>` would be taken for an element, and throw. A value that is
 * given as an element is never read. `Trans` of the macros is this one (`message-macros.ts`).
 */
export function Trans({ values, ...props }: TransProps) {
  // No JSX: the reader of messages takes every element of this name for one.
  return createElement(Message, { ...props, ...(values && { values: asTexts(values) }) })
}

const asTexts = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && value.includes('<') ? [value] : value,
    ]),
  )
