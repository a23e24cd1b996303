import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Text, VisuallyHidden } from '@mantine/core'
import type { NetworkDescription, PostOptions } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { wordsOfList, wordsOfOption } from '../language/server-words.ts'
import { fieldName, fieldValue } from '../planning/posts/field-words.ts'
import classes from './composer.module.css'
import { mediaOf, typeOf } from './draft.ts'
import type { Draft, DraftPost } from './draft-shape.ts'

interface NetworkChipsProps {
  networks: readonly NetworkDescription[]
  draft: Draft
  /** Opens the tab of the post at a place. */
  onShow: (index: number) => void
}

/** More of a text, such as a comment, is not shown. */
const CHIP = 40

interface Chip {
  label: string
  value: string
  /** Another text than all have. */
  own?: boolean
}

/** What single networks have besides what all share, each leading to its tab. Nothing where there is nothing of the kind. */
export function NetworkChips({ networks, draft, onShow }: NetworkChipsProps) {
  const { t } = useLingui()
  const chipsOf = (post: DraftPost): Chip[] => {
    const network = networks.find(({ accountType }) => accountType === post.accountType)
    if (!network) return []
    const type = typeOf(network, post, mediaOf(draft, post))
    const board = post.fields.board as { name: string } | null | undefined
    const options = Object.entries((post.fields.options ?? {}) as PostOptions).flatMap(([name, value]) => {
      const option = network.options.find((each) => each.name === name)
      if (option === undefined || value === null) return []
      const { title, titles } = wordsOfOption(network.accountType, option)
      const listed = Array.isArray(value) ? wordsOfList(value, titles) : null
      const shown =
        listed ?? (typeof value === 'boolean' ? (value ? t`Yes` : t`No`) : (titles?.[String(value)] ?? String(value)))
      return [{ label: title, value: shown.length > CHIP ? `${shown.slice(0, CHIP)}…` : shown }]
    })
    return [
      ...(post.caption === null ? [] : [{ label: t`Text`, value: t`its own`, own: true }]),
      ...(post.media === null ? [] : [{ label: t`Files`, value: t`its own`, own: true }]),
      ...(type === null ? [] : [{ label: fieldName('type'), value: fieldValue(type) }]),
      ...(board ? [{ label: fieldName('board'), value: board.name }] : []),
      ...options,
    ]
  }
  const all = draft.posts.map((post, index) => ({ post, index, chips: chipsOf(post) }))
  if (all.every(({ chips }) => chips.length === 0)) return null
  return (
    <section aria-label={t`Per network`}>
      <div className={classes.label}>
        <h3>
          <Trans>Per network</Trans>
        </h3>
        <Text span size="sm" c="dimmed">
          <Trans>everything else uses your defaults</Trans>
        </Text>
      </div>
      <div className={classes.chips}>
        {all.flatMap(({ post: { accountType }, index, chips }) =>
          chips.map(({ label, value, own = false }) => {
            const network = networkName(accountType)
            return (
              <Button
                key={`${accountType} ${index} ${label}`}
                variant="default"
                size="compact-sm"
                fw={400}
                leftSection={<NetworkIcon accountType={accountType} size={14} decorative />}
                onClick={() => onShow(index)}
              >
                <VisuallyHidden>{network}: </VisuallyHidden>
                <Text span size="xs" c="dimmed" className={classes.chipLabel}>
                  {label}{' '}
                </Text>
                {value}
                {own && <span className={classes.ownDot} aria-hidden />}
              </Button>
            )
          }),
        )}
      </div>
    </section>
  )
}
