import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { styleNonce } from '../api/base.ts'
import { queryClient } from '../api/query-client.ts'
import { usePreferences } from '../api/session.ts'
import { LiveRegion } from '../design/announce.tsx'
import { ConfirmProvider } from '../design/confirm.tsx'
import { Messages } from '../design/messages.tsx'
import { cssVariables, makeTheme } from '../design/theme.ts'
import { activateLanguage, languageOf } from '../language/language.ts'
import { router } from './router.tsx'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Words>
        <Looks>
          <ConfirmProvider>
            <RouterProvider router={router} />
            <Messages />
            <LiveRegion />
          </ConfirmProvider>
        </Looks>
      </Words>
    </QueryClientProvider>
  )
}

/** Draws everything in the language of the member or, without one, of the browser. Another one begins all screens again. */
function Words({ children }: { children: ReactNode }) {
  const { locale } = usePreferences()
  useEffect(() => void activateLanguage(languageOf(locale ? [locale] : navigator.languages)), [locale])
  const language = useSyncExternalStore(onLanguage, () => i18n.locale)
  return (
    <I18nProvider i18n={i18n}>
      <Fragment key={language}>{children}</Fragment>
    </I18nProvider>
  )
}

const onLanguage = (listener: () => void) => i18n.on('change', listener)

function Looks({ children }: { children: ReactNode }) {
  const { theme: wanted } = usePreferences()
  const [theme] = useState(makeTheme)
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
      defaultColorScheme="auto"
      {...(wanted === 'auto' ? {} : { forceColorScheme: wanted })}
    >
      <DirectionProvider>{children}</DirectionProvider>
    </MantineProvider>
  )
}
