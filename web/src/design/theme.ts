import { t } from '@lingui/core/macro'
import { type CSSVariablesResolver, createTheme, darken, luminance, type MantineColorsTuple } from '@mantine/core'

/** Contrast of text that WCAG 2.2 asks for at level AA. */
const AA = 4.5

/** The wide layout begins here. Below it: bar at the bottom, sheets, one column. */
export const WIDE_FROM_PX = 641

/** Where menus, lists and dialogs open. Each layout has it at the end of its main part. */
export const OVERLAYS_ID = 'overlays'

/** Ultramarine: `tokens.css` has the shades that are used as such. */
const INDIGO: MantineColorsTuple = [
  '#ecedfb',
  '#dcdef8',
  '#c6caf5',
  '#abb3ff',
  '#929bf3',
  '#7681e8',
  '#5863dd',
  '#4c57cf',
  '#3a44c2',
  '#2f38a8',
]
const WARM_GRAY: MantineColorsTuple = [
  '#f9f7f4',
  '#f0ede7',
  '#e6e1d9',
  '#d9d3c8',
  '#c4bcb0',
  '#a59e93',
  '#8f887c',
  '#67615a',
  '#47423b',
  '#1f1c18',
]
const WARM_DARK: MantineColorsTuple = [
  '#f0ede7',
  '#cbc5bb',
  '#a59e93',
  '#746e65',
  '#4a463f',
  '#35322d',
  '#24221f',
  '#191816',
  '#161513',
  '#11100f',
]

/** In the language that is shown when it is called. */
export const makeTheme = () =>
  createTheme({
    colors: { indigo: INDIGO, gray: WARM_GRAY, dark: WARM_DARK },
    black: '#1f1c18',
    primaryColor: 'indigo',
    // The shades of the accent; lighter ones fail AA with white on them.
    primaryShade: { light: 8, dark: 6 },
    autoContrast: true,
    // The luminance at which black and white stand out equally: the better of the two always passes AA.
    luminanceThreshold: 0.183,
    focusRing: 'auto',
    respectReducedMotion: true,
    cursorType: 'pointer',
    defaultRadius: 'md',
    fontFamily: 'var(--font)',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
    radius: { xs: '2px', sm: '4px', md: '8px', lg: '12px', xl: '32px' },
    shadows: { xs: 'var(--ring)', sm: 'var(--ring)', md: 'var(--shadow)', lg: 'var(--shadow)', xl: 'var(--shadow)' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '28px', lineHeight: '36px' },
        h2: { fontSize: '20px', lineHeight: '28px' },
        h3: { fontSize: '16px', lineHeight: '24px' },
        h4: { fontSize: '14px', lineHeight: '21px' },
      },
    },
    breakpoints: { sm: `${WIDE_FROM_PX / 16}em` },
    components: {
      // What is on a page is no alarm: only what goes wrong asks for `role="alert"`.
      Alert: { defaultProps: { role: 'note' } },
      ActionIcon: { defaultProps: { size: 'lg', variant: 'subtle', color: 'gray' } },
      // A link in a sentence is not recognized by its color alone.
      Anchor: { defaultProps: { underline: 'always' } },
      // People and accounts are known by their initials: colors are for states.
      Avatar: { defaultProps: { color: 'gray' } },
      // Nothing is smaller than 12 px, also in what is small itself.
      Badge: { vars: () => ({ root: { '--badge-fz': SMALLEST } }) },
      InputWrapper: {
        vars: () => ({
          description: { '--input-description-size': SMALLEST },
          error: { '--input-error-size': SMALLEST },
        }),
      },
      CloseButton: { defaultProps: { 'aria-label': t`Close` } },
      // What is behind a dialog stays lit.
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t`Close` }, overlayProps: OVERLAY } },
      Modal: { defaultProps: { closeButtonProps: { 'aria-label': t`Close` }, overlayProps: OVERLAY } },
      // The first entry takes the focus itself, instead of an empty element before it.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      // Escape in a menu closes the menu, also one without entries, and never the dialog around it.
      MenuDropdown: { defaultProps: { 'data-mantine-stop-propagation': 'true' } },
      NavLink: { defaultProps: { color: 'gray' } },
      Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
      PasswordInput: {
        defaultProps: {
          visibilityToggleFocusable: true,
          visibilityToggleButtonProps: { 'aria-label': t`Show password`, size: 28 },
        },
      },
      // Menus, lists and dialogs open inside of the page's main part: what stands outside of landmarks is hard to find.
      Portal: { defaultProps: { target: `#${OVERLAYS_ID}` } },
      Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: false } } },
    },
  })

const SMALLEST = '12px'
const OVERLAY = { backgroundOpacity: 0.3 }

/** Colors of Mantine that are states of ours. */
const STATES: Readonly<Record<string, string>> = {
  red: 'danger',
  orange: 'warn',
  yellow: 'warn',
  green: 'ok',
  teal: 'ok',
}
/** The names that a color of a component may have: of the kit's others, none is ours. `palette.test.ts` holds pages to them. */
export const PALETTE: readonly string[] = ['indigo', 'gray', 'dark', ...Object.keys(STATES)]

/** Colors of Mantine that are tokens of ours: the same in both themes, for a token is two colors. */
const TOKENS: Readonly<Record<string, string>> = {
  '--mantine-color-body': 'var(--canvas)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--dim)',
  '--mantine-color-placeholder': 'var(--quiet)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'light-dark(#fff, #35322d)',
  '--mantine-color-default-hover': 'light-dark(#f5f2ed, #3f3b35)',
  '--mantine-color-default-border': 'light-dark(#dcd6cb, rgb(255 246 230 / 12%))',
  ...Object.fromEntries(
    Object.entries(STATES).flatMap(([name, state]) => [
      [`--mantine-color-${name}-text`, `var(--${state})`],
      [`--mantine-color-${name}-outline`, `var(--${state})`],
      [`--mantine-color-${name}-light-color`, `var(--${state})`],
      [`--mantine-color-${name}-light`, `var(--${state}-soft)`],
      [`--mantine-color-${name}-light-hover`, `var(--${state}-soft)`],
      [`--mantine-color-${name}-filled`, `var(--${state})`],
    ]),
  ),
  '--mantine-color-indigo-light': 'var(--accent-soft)',
  '--mantine-color-indigo-light-color': 'var(--accent-text)',
  '--mantine-color-red-filled': 'var(--danger-fill)',
}

/** Mantine's own colors by our tokens, and its text colors dark enough to be read wherever Mantine puts them. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...TOKENS,
    ...Object.fromEntries(
      Object.entries(colors)
        .filter(([name]) => !(name in STATES))
        .flatMap(([name, shades]) => {
          const ink = inkOf(shades)
          const uses = name === 'indigo' ? ['text', 'outline'] : ['text', 'light-color', 'outline']
          return uses.map((use) => [`--mantine-color-${name}-${use}`, ink])
        }),
    ),
  },
  dark: TOKENS,
})

/** A color's darkest shade, darkened until it passes AA on the pale shade that badges and alerts have. */
function inkOf(shades: MantineColorsTuple): string {
  const ground = luminance(shades[1]) + 0.05
  for (let amount = 0; amount < 1; amount += 0.05) {
    const ink = darken(shades[9], amount)
    if (ground / (luminance(ink) + 0.05) >= AA) return ink
  }
  return '#000'
}
