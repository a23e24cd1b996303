import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { basePath } from '../api/base.ts'
import { CopyButton } from '../design/copy-button.tsx'

/** The key itself, to be stored now, and a first request with it. */
export function KeySecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const example = exampleOf(`${window.location.origin}${basePath}`)
  return (
    <Stack gap="lg">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t`The key is shown only once`}>
        <Trans>Copy the key to a safe place, such as a password manager. Anyone who has it can use its rights.</Trans>
      </Alert>
      <Stack gap="xs" align="flex-start">
        <TextInput
          ref={field}
          w="100%"
          label={t`API key`}
          readOnly
          value={secret}
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <CopyButton text={secret} label={t`Copy the key`} />
      </Stack>
      <Stack gap="xs" align="flex-start">
        <Text fw={500}>
          <Trans>A first request</Trans>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>With the key in the environment variable ALMANAC_KEY, this lists the brands that it can see.</Trans>
        </Text>
        <Code block w="100%" tabIndex={0} role="region" aria-label={t`A first request with curl`}>
          {example}
        </Code>
        <CopyButton text={example} label={t`Copy the request`} />
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onStored}>
          <Trans>I saved it</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

function exampleOf(address: string): string {
  return `curl "${address}/v1/social-sets" \\\n  -H "Authorization: Bearer $ALMANAC_KEY"`
}
