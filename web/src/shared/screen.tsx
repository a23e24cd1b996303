import { Trans, useLingui } from '@lingui/react/macro'
import { IconEye } from '@tabler/icons-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { GuestVisit } from '#contract'
import { isShared, onNotShared } from '../api/guests.ts'
import { rangeOf, readDate } from '../planning/dates/dates.ts'
import { firstDayOfWeek, formatDate } from '../time/zones.ts'
import { go, toDo, usePlace } from './address.ts'
import { CalendarScreen } from './calendar-screen.tsx'
import controls from './controls.module.css'
import { firstToDo, offersOf, useCalendar, useVisit } from './data.ts'
import { PREFERENCES } from './dates.ts'
import { DecideProvider, useDecide } from './decide.tsx'
import { Face } from './face.tsx'
import { MailDialog } from './mail-dialog.tsx'
import { closeNotice, Notices } from './notices.tsx'
import { PostScreen } from './post-screen.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'
import css from './screen.module.css'
import { Failed, Loading, NotShared, Offline, PreviewOver } from './states.tsx'

/** The page of a guest: what its link shows, or that it is over. */
export function Screen() {
  const shared = useSyncExternalStore(onNotShared, isShared)
  const { data: visit, error, refetch } = useVisit()
  const name = visit?.name
  useEffect(() => {
    // Not "Almanac · Almanac", before the name is known.
    if (name) document.title = `${name} · Almanac`
  }, [name])
  const arrived = useArrival(visit)
  if (!shared) return visit?.preview ? <PreviewOver /> : <NotShared />
  if (!visit || !arrived) {
    return (
      <main className={controls.over}>
        <h1>
          <Trans>Shared calendar</Trans>
        </h1>
        {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />}
      </main>
    )
  }
  return (
    <DecideProvider visit={visit}>
      <Visit visit={visit} error={error} />
      <Notices />
    </DecideProvider>
  )
}

/** Who comes by the link alone is led to what needs them; false until the address says so. */
function useArrival(visit: GuestVisit | undefined): boolean {
  const [arrived, setArrived] = useState(false)
  useLayoutEffect(() => {
    if (arrived || !visit) return
    const first = firstToDo(visit, null)
    if (window.location.search === '' && offersOf(visit).decide && first) go(toDo(first), { replace: true })
    setArrived(true)
  }, [arrived, visit])
  return arrived
}

function Visit({ visit, error: visitError }: { visit: GuestVisit; error: unknown }) {
  const place = usePlace()
  const { conflicts } = useDecide()
  const zone = visit.brands[0]?.timezone ?? 'UTC'
  const date = readDate(place.date ?? undefined, zone)
  const range = rangeOf(place.view, date, firstDayOfWeek(PREFERENCES))
  const brand = visit.brands.some(({ id }) => id === place.brand) ? place.brand : null
  const { data: calendar, error, refetch } = useCalendar(range, visit.brands, brand)
  const left = useRef<string | null>(null)
  useEffect(() => {
    if (place.post === null) return
    left.current = place.post
    // "Approved." would be read of the post that is opened.
    closeNotice()
  }, [place.post])
  const cards = (calendar?.cards ?? []).filter((card) => !place.waiting || card.waiting || card.id === place.post)
  return (
    <Frame visit={visit} isPost={place.post !== null}>
      <Offline error={visitError ?? (calendar ? error : null)} />
      {place.post === null ? (
        <CalendarScreen
          visit={visit}
          date={date}
          range={range}
          calendar={calendar}
          error={error}
          onRetry={() => void refetch()}
          left={left.current}
        />
      ) : (
        <PostScreen key={`${place.post} ${conflicts}`} id={place.post} visit={visit} cards={cards} />
      )}
    </Frame>
  )
}

/** Signs of brands side by side. */
const MOST_FACES = 3

interface FrameProps {
  visit: GuestVisit
  /** The heading of an open post is its own. */
  isPost: boolean
  children: ReactNode
}

function Frame({ visit, isPost, children }: FrameProps) {
  const Name = isPost ? 'p' : 'h1'
  return (
    <div className={css.page}>
      <a className={controls.skip} href="#calendar" hidden={isPost}>
        <Trans>Skip to the calendar</Trans>
      </a>
      {visit.preview && <PreviewLine />}
      <header className={css.header}>
        {visit.brands.slice(0, MOST_FACES).map(({ id, name }) => (
          <Face key={id} name={name} />
        ))}
        <div>
          <p className={css.brands}>
            {visit.brands.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 && ' · '}
                <bdi>{name}</bdi>
              </span>
            ))}
          </p>
          <Name className={css.name} dir="auto">
            {visit.name}
          </Name>
        </div>
        <SchemeSwitch />
        {visit.guest.name !== null && <Face name={visit.guest.name} person />}
      </header>
      {children}
      <Footer visit={visit} />
    </div>
  )
}

/** For the team alone: a guest never reads it. */
function PreviewLine() {
  return (
    <p className={css.preview}>
      <IconEye size={18} aria-hidden />
      <span>
        <Trans>
          This is a preview for your team. Only guests can decide and write here, and your look does not count as a
          visit.
        </Trans>
      </span>
    </p>
  )
}

function Footer({ visit: { guest, preview, mail, lastDay, brands } }: { visit: GuestVisit }) {
  const { t } = useLingui()
  const { askName, asNamed } = useDecide()
  const [isOpen, setOpen] = useState(false)
  const last = lastDay && formatDate(`${lastDay}T12:00:00Z`, 'UTC', PREFERENCES)
  return (
    <footer className={css.footer}>
      {guest.name !== null && (
        <p>
          <Trans>
            You are <bdi>{guest.name}</bdi>.
          </Trans>{' '}
          <button type="button" className={controls.quiet} onClick={askName}>
            <Trans>Change your name</Trans>
          </button>
        </p>
      )}
      {mail && preview === null && (
        <button type="button" className={controls.quiet} onClick={() => asNamed(() => setOpen(true))}>
          {guest.email ? t`News by mail: on` : t`Get news by mail`}
        </button>
      )}
      {last && brands.length > 0 && (
        <p>
          <Trans>This link ends on {last}.</Trans>
        </p>
      )}
      <p>
        <Trans>Made with Almanac</Trans>
      </p>
      {isOpen && <MailDialog guest={guest} onClose={() => setOpen(false)} />}
    </footer>
  )
}
