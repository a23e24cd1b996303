import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay } from '../api/session.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { newPostAt } from '../planning/brands/brand-days.ts'
import { startOfDay } from '../planning/dates/dates.ts'
import { postSetQuery } from '../post-set/post-set-queries.ts'
import { handToComposer } from '../uploads/handed-files.ts'
import { useFilesOnDays } from '../uploads/use-files-on-days.ts'
import { ChooseBrand } from './choose-brand.tsx'
import { OpenedPanels } from './opened-panels.tsx'
import type { Begun, BrandsPanelsProps } from './over.ts'

interface Props extends BrandsPanelsProps {
  brands: ReadonlyMap<string, SocialSet>
  /** Of the viewer. */
  zone: string
  begun: Begun | null
  onBegin: (begun: Begun) => void
  onBegun: () => void
}

/** What the address has opened over the calendar of all brands, in its brand; and the question for the brand of what is new. */
export function BrandsPanels({ brands, zone, begun, onBegin, onBegun, cards, notes, ...panels }: Props) {
  const { search, go } = panels
  const { post, note, brand } = search
  const isNew = post === 'new' || note === 'new'
  const asked = begun ?? (isNew && brand === undefined ? { kind: kindOf(post), date: null, minutes: null } : null)
  const known = isNew
    ? brand
    : (cards.find(({ id }) => id === post) ?? notes.find(({ id }) => id === note))?.socialSetId
  const elsewhere = useBrandOf({ post, note }, known === undefined && !isNew)
  const id = known ?? elsewhere
  // What is not there is said by the panel of any brand.
  const socialSet = id === undefined ? undefined : id === null ? [...brands.values()][0] : brands.get(id)
  const gone = isNew && brand !== undefined && !brands.has(brand)
  useEffect(() => {
    // A brand that is not seen is no brand: the person is asked.
    if (gone) go({ brand: undefined, replace: true })
  }, [gone, go])
  const { refetch } = useQuery(socialSetsQuery)
  const unknown = cards.some(({ socialSetId }) => !brands.has(socialSetId))
  useEffect(() => {
    // It was made meanwhile.
    if (unknown) void refetch()
  }, [unknown, refetch])
  // Until the brand is known there is no library that they could go to.
  const takesFiles = [useMay('post-sets:write'), useMay('media:write')].every((may) => may)
  useFilesOnDays(takesFiles ? (date, files) => onBegin({ kind: 'post', date, minutes: null, files }) : null)

  const begin = async (chosen: SocialSet) => {
    if (!asked) return
    const { kind, date, minutes, files } = asked
    if (files) await handToComposer(chosen.id, files)
    const day = date ?? panels.dayInSight.toString()
    const clocks = { brand: chosen.timezone, viewer: zone }
    const dated =
      kind === 'note'
        ? { note: 'new', post: undefined, at: startOfDay(Temporal.PlainDate.from(day), chosen.timezone) }
        : // A time in the address is one that was asked for.
          { post: 'new', note: undefined, at: date === null ? undefined : newPostAt(day, minutes, clocks) }
    go({ ...dated, brand: chosen.id, date: search.date ?? panels.dayInSight.toString(), replace: isNew })
    onBegun()
  }
  const leave = () => {
    onBegun()
    if (isNew && brand === undefined) go({ post: undefined, note: undefined, at: undefined, replace: true })
  }
  const offered = [...brands.values()].filter(({ id }) => asked?.brands?.includes(id) ?? true)
  const [only] = asked?.brands && offered.length === 1 ? offered : []
  const beginOnly = useEffectEvent((brand: SocialSet) => void begin(brand))
  useEffect(() => {
    if (only) beginOnly(only)
  }, [only])
  return (
    <>
      {asked && !only && (
        <ChooseBrand
          begun={asked}
          brands={offered.length > 0 ? offered : [...brands.values()]}
          onChoose={(brand) => void begin(brand)}
          onClose={leave}
        />
      )}
      {socialSet && (post !== undefined || note !== undefined) && (
        <OpenedPanels
          key={socialSet.id}
          socialSet={socialSet}
          {...panels}
          planned={cards.filter(({ socialSetId }) => socialSetId === socialSet.id)}
          takesFiles={false}
        />
      )}
    </>
  )
}

const kindOf = (post: string | undefined) => (post === 'new' ? 'post' : 'note')

/** The brand of a post or note that is not on the page; null of one that is not there, undefined until it is known. */
function useBrandOf({ post, note }: { post: string | undefined; note: string | undefined }, enabled: boolean) {
  const ofPost = useQuery({ ...postSetQuery(post ?? ''), enabled: enabled && post !== undefined })
  const ofNote = useQuery({
    queryKey: queryKeys.notes.one(note ?? ''),
    queryFn: ({ signal }) => call('GET /notes/:id', { params: { id: note ?? '' }, signal }),
    enabled: enabled && note !== undefined,
  })
  const { data, error } = post === undefined ? ofNote : ofPost
  // The panel that says so asks for it again: it stays all the same.
  const [missing, setMissing] = useState<string | null>(null)
  const id = post ?? note ?? null
  useEffect(() => {
    if (error) setMissing(id)
  }, [error, id])
  if (!enabled || id === null) return undefined
  return data?.socialSetId ?? (missing === id ? null : undefined)
}
