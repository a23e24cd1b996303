import '../design/tokens.css'
import './base.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sayWhenAtRest } from '../api/at-rest.ts'
import { guardPasting } from '../design/guard-pasting.ts'
import { guardPresses } from '../design/presses.ts'
import { activateLanguage, languageOf } from '../language/language.ts'
import { loadTemporal } from '../time/temporal.ts'
import { Boundary } from './boundary.tsx'
import { applyKeptScheme } from './color-scheme.ts'
import { queryClient, readVisit } from './data.ts'
import { Screen } from './screen.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('The page has no element to show the calendar in.')

applyKeptScheme()
guardPresses()
guardPasting()
sayWhenAtRest(queryClient)
// All that the first screen waits for is asked for at once.
void readVisit()
await Promise.all([loadTemporal(), activateLanguage(languageOf(navigator.languages), 'guests')])

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <I18nProvider i18n={i18n}>
        <Boundary>
          <Screen />
        </Boundary>
      </I18nProvider>
    </QueryClientProvider>
  </StrictMode>,
)
