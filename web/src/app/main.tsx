import '../design/styles.ts'
import type { AnyRoute } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sayWhenAtRest } from '../api/at-rest.ts'
import { styleNonce } from '../api/base.ts'
import { watchCode } from '../api/code.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'
import { guardPasting } from '../design/guard-pasting.ts'
import { guardPresses } from '../design/presses.ts'
import { showError } from '../design/toast.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { activateLanguage, languageOf } from '../language/language.ts'
import { loadTemporal } from '../time/temporal.ts'
import { App } from './app.tsx'
import { memberPages, router } from './router.tsx'

// Where libraries that add style elements of their own look for the nonce.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

const place = document.getElementById('root')
if (!place) throw new Error('The page has no element to show the dashboard in.')

guardPresses()
guardPasting()
sayWhenAtRest(queryClient)
watchCode(showError)

// All that the first screen waits for is asked for at once: who is signed in, its code, its words, and the calendar of times; then the brands.
const words = activateLanguage(languageOf(navigator.languages))
const asked = queryClient.prefetchQuery(sessionQuery)
const routes: Record<string, AnyRoute> = router.routesById
const matched = router.matchRoutes(router.latestLocation).flatMap(({ routeId }) => routes[routeId] ?? [])
for (const route of matched) void router.loadRouteChunk(route)
void asked.then(() => {
  const signedIn = queryClient.getQueryData(sessionQuery.queryKey)
  if (signedIn && matched.includes(memberPages)) void queryClient.prefetchQuery(socialSetsQuery)
})
await Promise.all([loadTemporal(), words])

createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
