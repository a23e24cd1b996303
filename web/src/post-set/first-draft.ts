import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NetworkDescription, SocialSet } from '#contract'
import { HOUR_MS } from '#contract/durations'
import { freeSlotsQuery } from '../planning/brands/brand-queries.ts'
import { dayOf } from '../planning/dates/dates.ts'
import { newPost } from './draft.ts'
import { type Draft, emptyDraft } from './draft-shape.ts'
import { lastNetworks } from './last-networks.ts'

interface FirstDraft {
  socialSet: SocialSet
  networks: readonly NetworkDescription[] | undefined
  /** The time that was asked for; null: the next one that is free. */
  at: string | null
  /** The time where none is free. Default: in an hour. */
  usualAt: string | undefined
  isNew: boolean
}

/** The times that the composer offers, of which the first is taken. */
const OFFERED = 3

/**
 * What a new post begins with: the accounts of the last one of the brand (its only one, where it has one), and the next of its times
 * that is free. Null until that is known, and of what is edited; then it stays.
 */
export function useFirstDraft({ socialSet, networks, at, usualAt, isNew }: FirstDraft): Draft | null {
  // Once: it moves on with the clock.
  const [usual] = useState(() => usualAt ?? new Date(Date.now() + HOUR_MS).toISOString())
  const [begun, setBegun] = useState<Draft | null>(null)
  const asks = isNew && at === null && begun === null
  // Also while what was free before the last post is known: it took one of them.
  const { data: slots = [], isFetching } = useQuery({
    ...freeSlotsQuery(socialSet.id, dayOf(usual, socialSet.timezone), OFFERED),
    enabled: asks,
    retry: false,
  })
  if (!isNew || begun || !networks || (asks && isFetching)) return begun
  const connected = socialSet.accounts.map(({ type }) => type)
  const last = connected.length === 1 ? connected : lastNetworks('accounts', socialSet.id)
  const posts = connected
    .filter((type) => last.includes(type))
    .flatMap((type) => networks.find(({ accountType }) => accountType === type) ?? [])
    .map(newPost)
  const draft = { ...emptyDraft(at ?? slots[0]?.at ?? usual), posts }
  setBegun(draft)
  return draft
}
