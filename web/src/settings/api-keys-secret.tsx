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
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="This is the only time that it is shown">
        Copy the key to where you keep secrets, such as a password manager. Whoever has it can do what it may do.
      </Alert>
      <Stack gap="xs" align="flex-start">
        <TextInput
          ref={field}
          w="100%"
          label="API key"
          readOnly
          value={secret}
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <CopyButton text={secret} label="Copy the key" />
      </Stack>
      <Stack gap="xs" align="flex-start">
        <Text fw={500}>A first request</Text>
        <Text size="sm" c="dimmed">
          With the key in the environment variable ALMANAC_KEY, this lists the social sets that it sees.
        </Text>
        <Code block w="100%" tabIndex={0} role="region" aria-label="A first request with curl">
          {example}
        </Code>
        <CopyButton text={example} label="Copy the request" />
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onStored}>I stored it</Button>
      </Group>
    </Stack>
  )
}

function exampleOf(address: string): string {
  return `curl "${address}/v1/social-sets" \\\n  -H "Authorization: Bearer $ALMANAC_KEY"`
}
