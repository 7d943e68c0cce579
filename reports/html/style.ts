/** The style sheet of every page, for light and dark screens and for paper. Colours of charts are in palette.ts. */
import { PALETTE } from '../palette.js';

function slots(theme: 'light' | 'dark'): string {
  return PALETTE.map((entry) => {
    const colour = entry[theme];
    return `.f-${entry.slot}{fill:${colour}}.s-${entry.slot}{stroke:${colour}}.b-${entry.slot}{background:${colour}}`;
  }).join('');
}

const BASE = `
:root{color-scheme:light dark;--bg:#f5f6f9;--card:#fff;--ink:#1b2130;--soft:#566072;--line:#e0e4eb;--sunk:#f4f6f9;--accent:#2456c7;
--good:#176d3b;--good-bg:#e2f3e9;--good-bar:#2f9e5f;--bad:#b3261e;--bad-bg:#fbe7e5;--bad-bar:#d0443d;--warn:#7d5000;--warn-bg:#fcf0d3;
--mute:#566072;--mute-bg:#ebeef3;--mute-bar:#b9c1ce;--odd:#6d3298;--odd-bg:#f2e8fa}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
.wide{max-width:74rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:1}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
body>header{background:var(--card);border-bottom:1px solid var(--line);padding:2rem 0 1.25rem}
.brand{margin:0;font-weight:650;letter-spacing:.02em;color:var(--accent);font-size:.9rem}
h1{margin:.15rem 0 .35rem;font-size:clamp(1.6rem,4vw,2.15rem);line-height:1.2;letter-spacing:-.015em}
h2{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em}
h3{margin:2.25rem 0 .5rem;font-size:1.15rem;line-height:1.35}
h4{margin:0;font-size:1rem;line-height:1.4}
p{margin:.4rem 0}
.lead{color:var(--soft);max-width:58rem}
.question{font-size:1.12rem;max-width:58rem}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
.mono{overflow-wrap:anywhere}
code{background:var(--sunk);border-radius:4px;padding:.08em .3em;overflow-wrap:anywhere}
pre{margin:0;padding:.7rem .85rem;background:var(--sunk);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.45;font-size:.8rem}
nav ul{display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;list-style:none;margin:.9rem 0 0;padding:0}
nav a{text-decoration:none;font-weight:550;font-size:.94rem}
nav a:hover{text-decoration:underline}
main.wide{padding-top:1.6rem;padding-bottom:3rem}
.part{margin-top:2.5rem;padding-top:2rem;border-top:1px solid var(--line)}
.part:first-child{margin-top:0;padding-top:0;border-top:0}
footer{border-top:1px solid var(--line);color:var(--soft);padding:1.25rem 0 2rem;font-size:.88rem}
.lead+.card,.question+.card{margin-top:.9rem}
.overview{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.25rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.15rem 1.3rem;min-width:0}
.overview .card{border-top:4px solid var(--mute-bar)}
.overview .card.good{border-top-color:var(--good-bar)}
.overview .card.bad{border-top-color:var(--bad-bar)}
.overview h2{font-size:.95rem;color:var(--soft);font-weight:600;letter-spacing:0}
.overview .figure{font-size:1.55rem;font-weight:680;line-height:1.25;letter-spacing:-.015em;margin:.1rem 0}
.overview p.more{margin:.9rem 0 0}
.stats{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem 1.25rem;margin:1rem 0 0}
.stats dt{color:var(--soft);font-size:.82rem;line-height:1.3}
.stats dd{margin:.1rem 0 0;font-size:1.12rem;font-weight:620;font-variant-numeric:tabular-nums;line-height:1.3}
.bar{display:flex;height:.7rem;border-radius:99px;overflow:hidden;background:var(--mute-bg);margin:.8rem 0 .35rem;gap:2px}
.bar span{min-width:3px}
.bar .holds{background:var(--good-bar)}.bar .fails{background:var(--bad-bar)}.bar .not-judged{background:var(--mute-bar)}.bar .excluded{background:var(--line)}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:.3rem 0 0;padding:0;font-size:.88rem;color:var(--soft)}
.key b{color:var(--ink);font-variant-numeric:tabular-nums;font-weight:600}
.swatch{display:inline-block;width:.75rem;height:.75rem;border-radius:3px;margin-right:.4rem;vertical-align:-.06rem}
.swatch.holds{background:var(--good-bar)}.swatch.fails{background:var(--bad-bar)}.swatch.not-judged{background:var(--mute-bar)}.swatch.excluded{background:var(--line);border:1px solid var(--mute-bar)}
.badge{display:inline-block;border-radius:99px;padding:.08rem .6rem;font-size:.78rem;font-weight:620;white-space:nowrap;line-height:1.55;background:var(--mute-bg);color:var(--mute)}
.badge.pass,.badge.holds{background:var(--good-bg);color:var(--good)}
.badge.fail,.badge.fails{background:var(--bad-bg);color:var(--bad)}
.badge.advisory{background:var(--warn-bg);color:var(--warn)}
.badge.error,.badge.inconclusive{background:var(--odd-bg);color:var(--odd)}
.key.verdicts{gap:.35rem .9rem;margin-top:.8rem}.verdicts .badge{margin-right:.35rem}
.note{border-left:4px solid var(--bad-bar);background:var(--bad-bg);color:var(--ink);padding:.6rem .9rem;border-radius:0 8px 8px 0;margin:1rem 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-size:.82rem;font-weight:600}
tbody th{font-weight:560}tbody th.mono,tbody th.reason{font-weight:400}
tbody tr:last-child>*{border-bottom:0}
.number{text-align:right}
td.codes{min-width:14rem}
`;

const CONFORMANCE = `
.findings{display:grid;gap:.9rem;padding:0;margin:0;list-style:none}
.findings .card{border-left:4px solid var(--bad-bar);padding:.9rem 1.15rem}
.findings .card.advisory{border-left-color:#c98a1a}
.findings .card.error,.findings .card.inconclusive{border-left-color:#9a5cc6}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem .9rem;margin:.6rem 0;font-size:.92rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.filter{display:flex;flex-wrap:wrap;gap:.6rem 1.1rem;align-items:center;padding:.8rem 1rem;margin:.75rem 0}
.filter[hidden]{display:none}
.filter input[type=search]{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--mute-bar);border-radius:8px;padding:.35rem .7rem;min-width:min(100%,17rem)}
.filter fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.35rem .95rem}
.filter label{font-size:.9rem;white-space:nowrap}
.filter output{color:var(--soft);font-size:.88rem;margin-left:auto}
button{font:inherit;font-size:.85rem;color:var(--accent);background:var(--card);border:1px solid var(--mute-bar);border-radius:8px;padding:.2rem .75rem;cursor:pointer}
button:hover{border-color:var(--accent)}
.section{padding:0;margin:.6rem 0}
.section>summary{display:grid;grid-template-columns:1.1rem minmax(0,1fr) minmax(5rem,11rem);gap:.3rem .75rem;align-items:center;padding:.75rem 1.1rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.section>summary::before,.check>summary::before{content:"";width:.5rem;height:.5rem;border-right:2px solid var(--soft);border-bottom:2px solid var(--soft);transform:rotate(-45deg);flex:none}
.section[open]>summary::before,.check[open]>summary::before{transform:rotate(45deg)}
.section>summary .bar{margin:0}
.section .counts{grid-column:2/-1;margin:0;color:var(--soft);font-size:.88rem}
.clause{border-top:1px solid var(--line);padding:.85rem 1.1rem .9rem}
.clause>p{margin:.25rem 0}
.folded{border-top:1px solid var(--line);margin:0;padding:.6rem 1.1rem}
.clause .head{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:baseline;color:var(--soft);font-size:.9rem}
.why{color:var(--soft);font-size:.92rem}
.checks{list-style:none;margin:.45rem 0 0;padding:0;display:grid;gap:.35rem}
.checks>li{font-size:.93rem;min-width:0}
.check{border:1px solid var(--line);border-radius:8px}
.check>summary{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:center;padding:.4rem .8rem;cursor:pointer;list-style:none}
.check>summary .mono{color:var(--soft)}
.check[open]>summary{border-bottom:1px solid var(--line)}
.check .body{padding:.5rem .9rem .9rem}
.check .body h5{margin:.9rem 0 .35rem;font-size:.88rem;color:var(--soft);font-weight:600}
.evidence{list-style:none;margin:.3rem 0 0;padding:0;font-size:.9rem}
.evidence li{overflow-wrap:anywhere}
.seen{margin-top:.5rem;font-size:.92rem}
.elsewhere{padding-left:.2rem;color:var(--soft)}
.exchange{margin:0 0 .8rem}
.exchange>p{margin:.25rem 0;font-size:.88rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:.6rem}
.script{position:relative}
.script button{position:absolute;top:.45rem;right:.45rem}
`;

const SIMULATION = `
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,29rem),1fr));gap:1.25rem;margin-top:1rem}
.chart{margin:0;padding:1rem 1.1rem .9rem}
.chart svg{display:block;width:100%;height:auto;margin-top:.35rem}
.chart .key{margin-top:.5rem}
.plain{padding-left:1.2rem;margin:.4rem 0}
.plain li{margin:.2rem 0}
.proof{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.35rem 1rem;margin:.75rem 0 0}
.proof dt{color:var(--soft)}
.proof dd{margin:0;overflow-wrap:anywhere}
`;

const DARK = `
:root{--bg:#0f131a;--card:#171c26;--ink:#e8ecf3;--soft:#a5afbf;--line:#2a323f;--sunk:#10151d;--accent:#86abff;
--good:#7adba3;--good-bg:#15321f;--good-bar:#37a866;--bad:#ff9d96;--bad-bg:#3d1a19;--bad-bar:#e0564e;--warn:#f3c665;--warn-bg:#37290b;
--mute:#b3bccb;--mute-bg:#262d39;--mute-bar:#56606f;--odd:#d9b0f7;--odd-bg:#2f1d3d}
`;

const NARROW = `
@media (max-width:40rem){.wide{padding:0 .9rem}.section>summary{grid-template-columns:1.1rem minmax(0,1fr)}.section>summary .bar{grid-column:2}.filter output{margin-left:0}.scroll table{min-width:34rem}.facts,.proof{grid-template-columns:1fr;gap:0}.facts dd,.proof dd{margin-bottom:.45rem}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{body{background:#fff;font-size:10.5pt}.filter,nav,.skip,button{display:none!important}.card,.check,.chart{break-inside:avoid}.section{break-inside:auto}.section::details-content{content-visibility:visible;block-size:auto}a{color:inherit;text-decoration:none}}
`;

/** The style sheet of every page: light, and dark where a screen asks for it. Paper is always light. */
export const STYLE = `${BASE}${CONFORMANCE}${SIMULATION}${slots('light')}
@media screen and (prefers-color-scheme:dark){${DARK}${slots('dark')}}${NARROW}`;
