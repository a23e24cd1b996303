import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { styleNonce } from '../api/base.ts'
import { queryClient } from '../api/query-client.ts'
import { usePreferences } from '../api/session.ts'
import { LiveRegion } from '../design/announce.tsx'
import { ConfirmProvider } from '../design/confirm.tsx'
import { cssVariables, theme } from '../design/theme.ts'
import { router } from './router.tsx'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Looks>
        <ConfirmProvider>
          <RouterProvider router={router} />
          <Messages />
          <LiveRegion />
        </ConfirmProvider>
      </Looks>
    </QueryClientProvider>
  )
}

const Notifications = lazy(() => import('@mantine/notifications').then((room) => ({ default: room.Notifications })))

/** The messages at the edge of the page. Their code comes after the first screen: what is said before waits for it. */
function Messages() {
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  if (!shown) return null
  return (
    <Suspense fallback={null}>
      <Notifications position="bottom-right" portalProps={{ target: document.body }} />
    </Suspense>
  )
}

function Looks({ children }: { children: ReactNode }) {
  const { theme: wanted } = usePreferences()
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
      defaultColorScheme="auto"
      {...(wanted === 'auto' ? {} : { forceColorScheme: wanted })}
    >
      {children}
    </MantineProvider>
  )
}
