// The stylesheet of the pages, served as an asset.

export const style = `:root { color-scheme: light dark; --text: #1c2430; --muted: #566173; --line: #d8dee8; --back: #ffffff; --soft: #f4f6fa; --accent: #0b57c9; --target: #fff6d6 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e9f1; --muted: #a3afc2; --line: #343e4e; --back: #12161d; --soft: #1b212b; --accent: #8ab8ff; --target: #3a3315 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4rem }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif }
a { color: var(--accent) }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.5rem 0 1rem }
h2 { font-size: 1.4rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem }
h3 { font-size: 1.15rem; margin: 1.75rem 0 .5rem }
h2 a, h3 a { color: inherit; text-decoration: none }
h2 a:hover, h3 a:hover { text-decoration: underline }
code, pre { font: .9em/1.5 ui-monospace, monospace }
code { background: var(--soft); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto }
pre code { background: none; padding: 0; overflow-wrap: normal }
header a { display: inline-block; min-height: 24px }
header { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); padding: .7rem 1.5rem; display: flex; flex-wrap: wrap; gap: .3rem 1rem }
.to-contents { display: none }
.version { color: var(--muted) }
.scroll em { color: var(--muted); font-style: normal; font-size: .85em; margin-right: .4em }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto }
main { grid-area: 1 / 2 }
nav { grid-area: 1 / 1; position: sticky; top: 3rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; padding: 1.5rem; font-size: .9rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav ul ul { margin-bottom: 1rem }
nav ul ul ul { padding-left: .8rem; margin-bottom: .6rem }
nav a { text-decoration: none; display: block; padding: .1rem 0; min-height: 24px }
nav strong { color: var(--muted); font-size: .85em; text-transform: uppercase; letter-spacing: .04em }
nav [aria-current] { font-weight: 700 }
main { padding: 0 1.5rem 6rem; overflow-wrap: break-word }
section:target > :first-child, li:target { background: var(--target); border-radius: 6px; box-shadow: 0 0 0 .4rem var(--target) }
section section h3 { border-top: 1px solid var(--line); padding-top: 1rem }
section > h2 a[href^="docs/"] { color: var(--accent); text-decoration: underline }
:is(#Schemas, #Errors, #Rules) > ul { columns: 15rem; list-style: none; padding: 0 }
:is(#Schemas, #Errors, #Rules) > ul a { display: inline-block; min-height: 24px }
[hidden] { display: none !important }
form { position: relative; flex: 1 1 14rem; max-width: 28rem; margin-left: auto; display: flex; gap: .6rem; align-items: center }
form [role] { color: var(--muted); font-size: .85rem }
form ul { position: absolute; top: 100%; left: 0; right: 0; margin: .3rem 0 0; padding: .3rem; list-style: none; max-height: 70vh; overflow-y: auto; background: var(--back); border: 1px solid var(--muted); border-radius: 6px; box-shadow: 0 .5rem 1.5rem #0004 }
form ul a { display: block; padding: .35rem .6rem; border-radius: 4px; text-decoration: none }
form ul a:is(:hover, :focus) { background: var(--soft) }
form small { color: var(--muted); margin-left: .5rem }
input { flex: 1 1 auto; min-width: 0; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--muted); border-radius: 6px; padding: .25rem .6rem }
.code { position: relative }
.code button { position: absolute; right: .4rem; top: .4rem; font: 600 .85rem system-ui, sans-serif; color: var(--text); background: var(--back); border: 1px solid var(--muted); border-radius: 6px; padding: .2rem .7rem; min-height: 2rem; cursor: pointer }
.code pre code { display: inline-block; padding-right: 5rem }
a[href*="console#/new"] { display: inline-block; border: 1px solid var(--accent); border-radius: 6px; padding: .4rem .9rem; text-decoration: none; font-weight: 600 }
:is(p, li) > strong:has(+ code) { background: var(--accent); color: var(--back); border-radius: 3px; padding: .1em .45em; font: 600 .85em ui-monospace, monospace }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; vertical-align: top; font-weight: normal; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line) }
thead th { color: var(--muted); font-size: .85em }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--back); padding: .3rem .6rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 52rem) {
  .columns { display: block }
  header { position: static; padding: .7rem 1rem }
  .to-contents { display: inline }
  main { padding: 0 1rem 2rem }
  nav { position: static; max-height: none; border-top: 1px solid var(--line) }
  nav a { padding: .3rem 0 }
  form { margin-left: 0; max-width: none; flex-basis: 100% }
}
@media (max-width: 40rem) {
  table, tbody, tr, th, td { display: block }
  thead { display: none }
  th, td { padding: .1rem 0; border: 0 }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
}
`;
