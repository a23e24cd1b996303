import { initialsOf } from './initials.ts'
import css from './screen.module.css'

/** The sign of a brand or a person beside their name: its first letters. Said by the name. */
export function Face({ name, person = false }: { name: string; person?: boolean }) {
  return (
    <span className={css.face} data-person={person || undefined} aria-hidden>
      {initialsOf(name, person ? 2 : 1)}
    </span>
  )
}
