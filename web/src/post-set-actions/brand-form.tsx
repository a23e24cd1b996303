import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { usePreferences } from '../api/session.ts'
import { Form, filled, useForm } from '../design/form.tsx'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { BrandName } from '../frame/brand-face.tsx'
import { sameClockIn } from '../time/zones.ts'
import type { Prompt } from './prompt.ts'
import { saidTime } from './words.ts'

/** Fewer are seen at a glance. */
const SEARCHED_FROM = 7

/** Asks for the brand to which posts are copied or moved; of several posts, which of both. */
export function BrandForm({ asked, zone }: { asked: Extract<Prompt, { kind: 'brand' }>; zone: string }) {
  const { subjects, brands, answer } = asked
  const preferences = usePreferences()
  const [text, setText] = useState('')
  const move = useRef(asked.move === true)
  const form = useForm({
    initial: { brand: brands.length === 1 ? (brands[0]?.id ?? '') : '' },
    check: { brand: filled(t`Choose a brand.`) },
    send({ brand }) {
      const chosen = brands.find(({ id }) => id === brand)
      if (chosen) answer({ brand: chosen, move: move.current })
    },
  })
  const wanted = text.trim().toLocaleLowerCase()
  const found = brands.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const chosen = brands.find(({ id }) => id === form.values.brand)
  const [only] = subjects.length === 1 ? subjects : []
  const missing = chosen
    ? [...new Set(subjects.flatMap(({ networks }) => networks.map(({ accountType }) => accountType)))].filter(
        (accountType) => !chosen.accounts.some(({ type }) => type === accountType),
      )
    : []
  return (
    <Form form={form}>
      {brands.length >= SEARCHED_FROM && (
        <TextInput
          type="search"
          data-autofocus
          label={t`Find a brand`}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
      )}
      <Radio.Group label={t`Brand`} {...form.choice('brand')}>
        <Stack gap="xs" mt="xs" mah="40vh" style={{ overflowY: 'auto' }}>
          {found.map((brand, index) => (
            <Radio
              key={brand.id}
              value={brand.id}
              label={<BrandName brand={brand} />}
              data-autofocus={(index === 0 && brands.length < SEARCHED_FROM) || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {found.length === 0 && (
        <Text size="sm" role="status">
          <Trans>No brand is called that.</Trans>
        </Text>
      )}
      <div role="status">
        {only && chosen && (
          <Text size="sm">
            <Trans>
              Time: {saidTime(sameClockIn(only.scheduledAt, zone, chosen.timezone), chosen.timezone, preferences)}
            </Trans>
          </Text>
        )}
        {chosen && missing.length > 0 && (
          <Text size="sm">
            <Trans>Not connected in this brand: {listOf(missing.map(networkName))}.</Trans>
          </Text>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {plural(subjects.length, {
          one: 'It arrives as a draft, with its text and files. Comments, labels and history stay here.',
          other: 'They arrive as drafts, with their texts and files. Comments, labels and history stay here.',
        })}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(null)}>
          <Trans>Cancel</Trans>
        </Button>
        {asked.move !== true && (
          <Button
            type="submit"
            {...(asked.move === null ? { variant: 'default' } : {})}
            onClick={() => (move.current = false)}
          >
            <Trans>Copy</Trans>
          </Button>
        )}
        {asked.move !== false && (
          <Button type="submit" onClick={() => (move.current = true)}>
            <Trans>Move</Trans>
          </Button>
        )}
      </Group>
    </Form>
  )
}
