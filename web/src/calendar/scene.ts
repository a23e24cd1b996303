import { createContext, use } from 'react'
import type { Label } from '#contract'
import type { BrandMarks } from '../planning/brands/brand-marks.tsx'
import type { TimePreferences } from '../time/zones.ts'

/** What every card needs to know to draw itself. */
interface Scene {
  /** IANA name: of the brand, or over all brands of the viewer. */
  zone: string
  preferences: TimePreferences
  labels: ReadonlyMap<string, Label>
  over: BrandMarks | null
}

export const SceneContext = createContext<Scene | null>(null)

/** The card that has to be in sight, also where its day is too full for all: the one that was moved last. */
export const InSightContext = createContext<string | null>(null)

export function useScene(): Scene {
  const scene = use(SceneContext)
  if (!scene) throw new Error('A calendar does not stand around this component.')
  return scene
}
