import { t } from '@lingui/core/macro'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A password that is chosen. The server says what is wrong with it. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      description={t`At least 10 characters. Several words in a row are easy to remember and hard to guess.`}
      autoComplete="new-password"
      {...props}
    />
  )
}
