import { type CSSVariablesResolver, createTheme, darken, luminance, type MantineColorsTuple } from '@mantine/core'

/** Contrast of text that WCAG 2.2 asks for at level AA. */
const AA = 4.5

/** The wide layout begins here. Below it: bar at the bottom, sheets, one column. */
export const WIDE_FROM_PX = 641

/** Where menus, lists and dialogs open. Each layout has it at the end of its main part. */
export const OVERLAYS_ID = 'overlays'

export const theme = createTheme({
  primaryColor: 'indigo',
  // Lighter shades fail AA with white on them.
  primaryShade: 8,
  autoContrast: true,
  // The luminance at which black and white stand out equally: the better of the two always passes AA.
  luminanceThreshold: 0.183,
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  breakpoints: { sm: `${WIDE_FROM_PX / 16}em` },
  components: {
    // What stands on a page is no alarm: only what goes wrong asks for `role="alert"`.
    Alert: { defaultProps: { role: 'note' } },
    ActionIcon: { defaultProps: { size: 'lg', variant: 'subtle' } },
    // A link in a sentence is not told by its colour alone.
    Anchor: { defaultProps: { underline: 'always' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // The first entry takes the focus itself, instead of an empty element before it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': 'Show password', size: 28 },
      },
    },
    // Menus, lists and dialogs open inside of the page's main part: what stands outside of landmarks is hard to find.
    Portal: { defaultProps: { target: `#${OVERLAYS_ID}` } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: false } } },
  },
})

/** Mantine's colours for text, made dark enough to be read wherever Mantine puts them. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#58616a',
    '--mantine-color-placeholder': '#667079',
    '--mantine-color-error': colors.red[9],
    ...Object.fromEntries(
      Object.entries(colors).flatMap(([name, shades]) => {
        const ink = inkOf(shades)
        return ['text', 'light-color', 'outline'].map((use) => [`--mantine-color-${name}-${use}`, ink])
      }),
    ),
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': '#a3a3a3',
    '--mantine-color-error': colors.red[4],
  },
})

/** A colour's darkest shade, darkened until it passes AA on the pale shade that badges and alerts have. */
function inkOf(shades: MantineColorsTuple): string {
  const ground = luminance(shades[1]) + 0.05
  for (let amount = 0; amount < 1; amount += 0.05) {
    const ink = darken(shades[9], amount)
    if (ground / (luminance(ink) + 0.05) >= AA) return ink
  }
  return '#000'
}
