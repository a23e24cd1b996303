import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { styleNonce } from '../api/base.ts'
import { queryClient } from '../api/query-client.ts'
import { usePreferences } from '../api/session.ts'
import { LiveRegion } from '../design/announce.tsx'
import { ConfirmProvider } from '../design/confirm.tsx'
import { Messages } from '../design/messages.tsx'
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
