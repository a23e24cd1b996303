import { t } from '@lingui/core/macro'
import { Radio, Stack, Text } from '@mantine/core'
import type { ConnectableType } from '#contract'
import { wordsOfSignIn } from '../language/server-words.ts'

type SignIn = ConnectableType['signIns'][number]

/** The ways to sign in that work on this installation; all of them while none does. Empty where there is one way only. */
export function offeredSignIns({ signIns }: ConnectableType): readonly SignIn[] {
  const ready = signIns.filter(({ configured }) => configured)
  return ready.length > 0 ? ready : signIns
}

interface SignInChoiceProps {
  type: ConnectableType
  offered: readonly SignIn[]
  chosen: SignIn
  onChoose: (name: string) => void
}

/** The ways to sign in, with whom each is for; of a single one just that. */
export function SignInChoice({ type: { accountType }, offered, chosen, onChoose }: SignInChoiceProps) {
  if (offered.length === 1) return <Text>{wordsOfSignIn(accountType, chosen).description}</Text>
  return (
    <Radio.Group label={t`Way to sign in`} value={chosen.name} onChange={onChoose}>
      <Stack gap="sm" py="xs" ps={2}>
        {offered.map((way) => {
          const { name, title, description } = wordsOfSignIn(accountType, way)
          return <Radio key={name} value={name} label={title} description={description} />
        })}
      </Stack>
    </Radio.Group>
  )
}
