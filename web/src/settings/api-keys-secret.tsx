import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { basePath } from '../api/base.ts'
import { CopyButton } from '../design/copy-button.tsx'

interface KeySecretProps {
  secret: string
  /** An agent uses it, by its tools. */
  ofAgent: boolean
  onStored: () => void
}

/** The key itself, to be stored now, and what is done with it first. */
export function KeySecret({ secret, ofAgent, onStored }: KeySecretProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
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
      {ofAgent ? <AgentSetup /> : <FirstRequest />}
      <Group justify="flex-end">
        <Button onClick={onStored}>
          <Trans>I saved it</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

const addressOfApi = () => `${window.location.origin}${basePath}`

function FirstRequest() {
  const example = `curl "${addressOfApi()}/v1/social-sets" \\\n  -H "Authorization: Bearer $ALMANAC_KEY"`
  return (
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
  )
}

function AgentSetup() {
  const command = `claude mcp add --transport http almanac "${addressOfApi()}/mcp" \\\n  --header "Authorization: Bearer $ALMANAC_KEY"`
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={500}>
        <Trans>Connect the agent</Trans>
      </Text>
      <Text size="sm" c="dimmed">
        <Trans>
          With the key in the environment variable ALMANAC_KEY, this adds the tools to Claude Code. For other agents,
          read “Agents” in the documentation.
        </Trans>
      </Text>
      <Code block w="100%" tabIndex={0} role="region" aria-label={t`Command for Claude Code`}>
        {command}
      </Code>
      <CopyButton text={command} label={t`Copy the command`} />
    </Stack>
  )
}
