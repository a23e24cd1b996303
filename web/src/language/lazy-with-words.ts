import { lazy } from 'react'
import { withWords } from './language.ts'

/** A part of a screen that is loaded when it is needed, with its words. What the calendar may begin with has them, and is `lazy`. */
export const lazyWithWords: typeof lazy = (load) => lazy(() => withWords(load()))
