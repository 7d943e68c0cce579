/** The style sheet of every page, for light and dark screens and for paper. Colours of charts are in palette.ts. */
import { PALETTE } from '../charts/palette.js';

function slots(theme: 'light' | 'dark'): string {
  return PALETTE.map((entry) => {
    const colour = entry[theme];
    return `.f-${entry.slot}{fill:${colour}}.s-${entry.slot}{stroke:${colour}}.b-${entry.slot}{background:${colour}}`;
  }).join('');
}

const TOKENS = `
:root{color-scheme:light dark;--bg:#f5f6f9;--card:#fff;--ink:#1b2130;--soft:#566072;--line:#e0e4eb;--sunk:#f4f6f9;--accent:#2456c7;
--good:#176d3b;--good-bg:#e2f3e9;--good-bar:#2f9e5f;--bad:#b3261e;--bad-bg:#fbe7e5;--bad-bar:#d0443d;--warn:#7d5000;--warn-bg:#fcf0d3;
--mute:#566072;--mute-bg:#ebeef3;--mute-bar:#b9c1ce;--odd:#6d3298;--odd-bg:#f2e8fa}
`;

/** The frame of a static page: the lab has its own. */
const PAGE = `
html{scroll-padding-top:3.4rem}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
.wide{max-width:78rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
main:focus{outline:0}
:target{scroll-margin-top:3.4rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:3}
.top{background:var(--card);padding:.7rem 0 .25rem}
.top .wide{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .75rem}
.brand{margin:0;font-weight:680;letter-spacing:.02em;color:var(--accent);font-size:.9rem}
h1{margin:0;font-size:1rem;line-height:1.4;font-weight:620}
.top .lead{flex-basis:100%;font-size:.86rem;margin:0}
h2{margin:0 0 .3rem;font-size:1.45rem;line-height:1.25;letter-spacing:-.012em}
h2 .mono{font-size:.78em}
h3{margin:2.25rem 0 .6rem;font-size:1.15rem;line-height:1.35}
p{margin:.4rem 0}
.lead{color:var(--soft);max-width:62rem}
nav{position:sticky;top:0;z-index:2;background:var(--card);border-bottom:1px solid var(--line)}
nav ul{display:flex;gap:0 1.25rem;list-style:none;overflow-x:auto;scrollbar-width:none}
nav a{display:block;padding:.45rem 0;text-decoration:none;font-weight:550;font-size:.9rem;white-space:nowrap}
nav a:hover{text-decoration:underline}
main.wide{padding-top:1.2rem;padding-bottom:3rem}
.part{margin-top:2.75rem;padding-top:1.75rem;border-top:1px solid var(--line)}
.part:first-child{margin-top:0;padding-top:0;border-top:0}
h2.mono{margin-top:3rem;font-size:1rem}main>h2.mono:first-child{margin-top:0}h2.mono+.part{margin-top:0;padding-top:0;border-top:0}
footer{border-top:1px solid var(--line);color:var(--soft);padding:1.25rem 0 2rem;font-size:.88rem}
`;

const PARTS = `
*{box-sizing:border-box}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
h4{margin:0;font-size:1rem;line-height:1.4}
.question{font-size:1.08rem;max-width:62rem;color:var(--soft)}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
.mono{overflow-wrap:anywhere}
code{background:var(--sunk);border-radius:4px;padding:.08em .3em;overflow-wrap:anywhere}
pre{margin:0;padding:.6rem .85rem;background:var(--sunk);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.45;font-size:.8rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem 1.2rem;min-width:0}
.verdict{display:flex;gap:.9rem;align-items:flex-start;margin:.8rem 0;padding:.75rem 1.1rem;border-radius:12px;background:var(--mute-bg)}
.verdict p{margin:0}
.verdict .word{font-size:clamp(1.35rem,3.6vw,1.8rem);font-weight:720;line-height:1.2;letter-spacing:-.02em}
.verdict .sign{flex:none;display:grid;place-items:center;width:2.3rem;height:2.3rem;border-radius:50%;font-size:1.25rem;font-weight:700;color:var(--card);background:var(--mute)}
.verdict>div{min-width:0;overflow-wrap:anywhere}
.verdict.good{background:var(--good-bg)}.verdict.good .word{color:var(--good)}.verdict.good .sign{background:var(--good)}
.verdict.bad{background:var(--bad-bg)}.verdict.bad .word{color:var(--bad)}.verdict.bad .sign{background:var(--bad)}
.first{border-left:4px solid var(--accent);margin:.8rem 0}
.first h3{margin:0;font-size:.85rem;color:var(--soft);font-weight:600}
.overview{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1.1rem}
.overview .card{border-top:4px solid var(--mute-bar)}
.overview .card.good{border-top-color:var(--good-bar)}
.overview .card.bad{border-top-color:var(--bad-bar)}
.overview h2{font-size:.95rem;color:var(--soft);font-weight:600;letter-spacing:0}
.overview h2 .mono{font-size:.9em}
.overview .figure{font-size:1.35rem;font-weight:680;line-height:1.25;letter-spacing:-.015em;margin:.1rem 0}
.overview p.more{margin:.7rem 0 0}
.stats{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem 1.5rem;margin:1rem 0}
.stats dt{color:var(--soft);font-size:.82rem;line-height:1.3}
.stats dd{margin:.1rem 0 0;font-size:1.25rem;font-weight:660;font-variant-numeric:tabular-nums;line-height:1.3;letter-spacing:-.01em}
.card .stats dd{font-size:1.05rem}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:.3rem 0 0;padding:0;font-size:.88rem;color:var(--soft)}
.key b{color:var(--ink);font-variant-numeric:tabular-nums;font-weight:600}
.swatch{display:inline-block;width:.75rem;height:.75rem;border-radius:3px;margin-right:.4rem;vertical-align:-.06rem}
.badge{display:inline-block;border-radius:99px;padding:.08rem .6rem;font-size:.78rem;font-weight:620;white-space:nowrap;line-height:1.55;background:var(--mute-bg);color:var(--mute)}
.badge.pass,.badge.holds{background:var(--good-bg);color:var(--good)}
.badge.fail,.badge.fails{background:var(--bad-bg);color:var(--bad)}
.badge.advisory{background:var(--warn-bg);color:var(--warn)}
.badge.error,.badge.inconclusive{background:var(--odd-bg);color:var(--odd)}
.verdicts{gap:.35rem .9rem}.verdicts .badge{margin-right:.35rem}
.note{border-left:4px solid var(--bad-bar);background:var(--bad-bg);color:var(--ink);padding:.5rem .9rem;border-radius:0 8px 8px 0;margin:.8rem 0}
.scroll{overflow-x:auto}
.scroll.plain{padding:0}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-size:.82rem;font-weight:600}
tbody th{font-weight:450;overflow-wrap:anywhere;min-width:7rem}
tbody tr:last-child>*{border-bottom:0}
th.number,td.number{text-align:right;white-space:nowrap}
.facts,.proof{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem .9rem;margin:.6rem 0;font-size:.92rem}
.facts dt,.proof dt{color:var(--soft)}
.facts dd,.proof dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.script{position:relative}
.script pre{padding-right:4.6rem}
.script button{position:absolute;top:.3rem;right:.35rem}
button{font:inherit;font-size:.85rem;color:var(--accent);background:var(--card);border:1px solid var(--mute-bar);border-radius:8px;padding:.1rem .7rem;cursor:pointer}
button:hover{border-color:var(--accent)}
summary{cursor:pointer}
.sentences dt{margin-top:.5rem}.sentences dd{margin:.15rem 0 0 1rem}del{background:var(--bad-bg);color:var(--bad)}ins{background:var(--good-bg);color:var(--good)}
.why{color:var(--soft);font-size:.92rem}
.plain>li{margin:.2rem 0}
`;

const CONFORMANCE = `
.bar{display:flex;height:.6rem;border-radius:99px;overflow:hidden;background:var(--mute-bg);margin:.6rem 0 .35rem;gap:2px}
.bar span{min-width:3px}
.bar .holds,.swatch.holds,.cells a{background:var(--good-bar)}.bar .fails{background:var(--bad-bar)}
.bar .not-judged{background:var(--mute-bar)}
.bar .excluded{background:var(--line)}
.swatch.fails,.cells .fails{background:linear-gradient(45deg,#0000 42%,var(--card) 42% 58%,#0000 58%),linear-gradient(-45deg,#0000 42%,var(--card) 42% 58%,#0000 58%),var(--bad-bar)}
.swatch.not-judged,.cells .not-judged{background:0 0;box-shadow:inset 0 0 0 1.5px var(--mute-bar)}
.swatch.inconclusive,.cells .inconclusive{background:linear-gradient(135deg,var(--odd) 50%,#0000 50%);box-shadow:inset 0 0 0 1.5px var(--odd)}
.swatch.excluded,.cells .excluded{background:radial-gradient(var(--mute-bar) 25%,#0000 30%)}
.matrix{margin:1rem 0}
.matrix figcaption{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;align-items:baseline;justify-content:space-between;margin-bottom:.6rem}
.matrix h3{margin:0;font-size:1rem}
.rows{list-style:none;margin:0;padding:0;columns:2 30rem;column-gap:2rem}
.row{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:0 .75rem;break-inside:avoid;padding:.14rem 0;align-items:start}
.row .name{position:relative;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--ink);text-decoration:none;font-size:.82rem;line-height:1.15rem}
.row .name b{display:inline-block;min-width:2.1rem;font-weight:600;color:var(--soft);font-variant-numeric:tabular-nums}
.row .name:hover{text-decoration:underline}
.row.bad .name,.row.bad .name b{color:var(--bad);font-weight:650}
.cells{display:flex;flex-wrap:wrap;gap:2px;padding-top:.22rem}
.cells a{width:.62rem;height:.62rem;border-radius:2px}
.cells .d{border-radius:50%}
.cells a:hover{outline:2px solid var(--ink);outline-offset:1px}
.readout{min-height:1.5em;margin:.5rem 0 0;font-size:.85rem;color:var(--soft)}
.matrix .readout{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.findings{display:grid;gap:.8rem;padding:0;margin:0;list-style:none}
.findings .card{border-left:4px solid var(--bad-bar);padding:.8rem 1.1rem}
.findings .card.advisory{border-left-color:#c98a1a}
.findings .card.error,.findings .card.inconclusive{border-left-color:#9a5cc6}
.filter{display:flex;flex-wrap:wrap;gap:.5rem 1.1rem;align-items:center;padding:.6rem 1rem;margin:.75rem 0}
.filter[hidden]{display:none}
.filter input[type=search]{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--mute);border-radius:8px;padding:.3rem .7rem;width:17rem;max-width:100%}
.filter fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.35rem .95rem}
.filter label{font-size:.9rem}
.filter output{color:var(--soft);font-size:.88rem;margin-left:auto}
.section{padding:0;margin:.5rem 0}
.section>summary{display:grid;grid-template-columns:1.1rem minmax(0,1fr) minmax(5rem,11rem);gap:.2rem .75rem;align-items:center;padding:.6rem 1.1rem;list-style:none}
summary::-webkit-details-marker{display:none}
.section>summary::before,.clause>summary::before,.check>summary::before{content:"";width:.45rem;height:.45rem;border-right:2px solid var(--soft);border-bottom:2px solid var(--soft);transform:rotate(-45deg);flex:none}
.section[open]>summary::before,.clause[open]>summary::before,.check[open]>summary::before{transform:rotate(45deg)}
.section>summary :is(.bar,h3){margin:0}
.section .counts{grid-column:2/-1;margin:0;color:var(--soft);font-size:.88rem}
.clause{border-top:1px solid var(--line)}
.clause>summary{display:grid;grid-template-columns:.7rem 6.4rem minmax(0,1fr);gap:.1rem .7rem;align-items:baseline;padding:.45rem 1.1rem;list-style:none}
.clause>summary:not(:has(.badge)){grid-template-columns:.7rem minmax(0,1fr)}
.clause>summary::before{align-self:center}
.clause>summary .badge{justify-self:start}
.folded>summary::before{border-color:var(--good-bar)}
.clause>summary .mono{grid-column:3;color:var(--soft);font-size:.78rem}
.clause .body{padding:0 1.1rem .8rem 2.5rem}
.checks{list-style:none;margin:.45rem 0 0;padding:0;display:grid;gap:.35rem}
.checks>li{font-size:.93rem;min-width:0}
.check{border:1px solid var(--line);border-radius:8px}
.check>summary{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:center;padding:.4rem .8rem;list-style:none}
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
.exchange.failed{border-left:3px solid var(--bad);padding-left:.6rem}.exchange>.against{color:var(--bad)}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:.6rem}
`;

const CHARTS = `
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:1.1rem;margin-top:.8rem}
.chart{margin:0;padding:.85rem 1.1rem .8rem;min-width:0}
.chart.broad{margin:.8rem 0}
.chart h3{margin:0;font-size:1rem}
.chart .unit{margin:.2rem 0 .6rem;font-size:.75rem;line-height:1;color:var(--soft)}
.chart .unit.end{text-align:right;margin:-.35rem 0 0}
.plot{position:relative;height:11.5rem;margin:0 .4rem 1.3rem 3rem}
.broad .plot{height:clamp(11rem,30vh,16rem)}
.plot svg{display:block;width:100%;height:100%;overflow:visible}
.plot path{stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.plot [class^=s-]{fill:none}.plot [class^=f-]{fill-opacity:.8}
.plot .lines{fill:none;stroke:var(--line);stroke-width:1}
.plot .y span,.plot .x span{position:absolute;font-size:.75rem;line-height:1;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
.plot .y span{right:calc(100% + .4rem);transform:translateY(-50%)}
.plot .x span{top:calc(100% + .4rem);transform:translateX(-50%)}
.cursor{position:absolute;top:0;bottom:0;left:-9999px;width:1px;background:var(--ink);pointer-events:none}
.lives .marks{display:grid;grid-template-columns:minmax(0,1fr);gap:.15rem}
.lives .marks p{margin:.2rem 0 0;font-size:.88rem;line-height:1.3;color:var(--soft);font-variant-numeric:tabular-nums}.lives .marks b{color:var(--ink)}
.lives .marks svg,.lives .areas{display:block;width:100%}.lives .areas{height:2.6rem}
.lives .when{font-variant-numeric:tabular-nums;min-height:1.9rem;margin:.5rem 0 .2rem}.lives input{display:block;width:100%;margin:.1rem 0 0;accent-color:var(--accent)}
.data{margin-top:.5rem;font-size:.88rem}
.data>summary{color:var(--accent)}
.data .scroll{max-height:22rem;overflow:auto;margin-top:.4rem}
.data td,.data th{padding-top:.2rem;padding-bottom:.2rem}
.hbar{display:flex;height:.95rem;border-radius:3px;overflow:hidden;min-width:7rem}
.chart td:has(.hbar){width:45%}.chart td:has(.band){width:34%}
.chart small{display:block;color:var(--soft);font-size:.8rem;line-height:1.2}
.chart figcaption .why{margin:0;font-size:.8rem}
.band{position:relative;display:block;height:1.1rem;min-width:5.5rem;background:linear-gradient(var(--line),var(--line)) center/100% 1px no-repeat}
.band span{position:absolute;top:.25rem;height:.6rem;border-radius:99px;background:var(--accent);opacity:.3;min-width:2px}
.band i{position:absolute;top:.25rem;width:.6rem;height:.6rem;margin-left:-.3rem;border-radius:50%;background:var(--accent)}
`;

const DARK = `
:root{--bg:#0f131a;--card:#171c26;--ink:#e8ecf3;--soft:#a5afbf;--line:#2a323f;--sunk:#10151d;--accent:#86abff;
--good:#7adba3;--good-bg:#15321f;--good-bar:#37a866;--bad:#ff9d96;--bad-bg:#3d1a19;--bad-bar:#e0564e;--warn:#f3c665;--warn-bg:#37290b;
--mute:#b3bccb;--mute-bg:#262d39;--mute-bar:#56606f;--odd:#d9b0f7;--odd-bg:#2f1d3d}
`;

const NARROW = `
@media (max-width:40rem){.wide{padding:0 .9rem}.top .lead{display:none}.part .question{font-size:1rem;line-height:1.4}.verdict{padding:.65rem .8rem;gap:.7rem}.verdict .sign{width:1.7rem;height:1.7rem;font-size:1rem}
.row{grid-template-columns:7.5rem minmax(0,1fr)}.card{padding:.8rem .9rem}.section,.filter{padding:0}.filter{padding:.6rem .9rem}.section>summary{grid-template-columns:1.1rem minmax(0,1fr);padding:.6rem .9rem}.section>summary .bar{grid-column:2}
.clause>summary{grid-template-columns:.7rem minmax(0,1fr);padding:.45rem .9rem}.clause>summary .find{grid-column:2}.clause .body{padding:0 .9rem .8rem}
.filter output{margin-left:0}.facts,.proof{grid-template-columns:1fr;gap:0}.facts dd,.proof dd{margin-bottom:.4rem}.stats{grid-template-columns:1fr 1fr}.plot{margin-left:2.4rem}.bands .number{white-space:normal}.bands td:has(.band){width:30%}.bands tbody th{min-width:5rem}.bands .number:last-child{display:none}}
@media (prefers-reduced-motion:no-preference){.cells a,button{transition:outline-color .1s}}
@media print{body{background:#fff;font-size:10.5pt}.filter,nav,.skip,button,.lives input,.readout,.cursor{display:none!important}.card,.check,.chart,.verdict{break-inside:avoid}.section{break-inside:auto}details::details-content{content-visibility:visible;block-size:auto}a{color:inherit;text-decoration:none}
*{print-color-adjust:exact}}
`;

const LOOK = `${PARTS}${CONFORMANCE}${CHARTS}${slots('light')}
@media screen and (prefers-color-scheme:dark){${DARK}${slots('dark')}}${NARROW}`;

/** The look of the parts, in a page that has a frame of its own. */
export const PARTS_STYLE = `${TOKENS}${LOOK}`;

/** The style sheet of every static page: light, and dark where a screen asks for it. Paper is always light. */
export const STYLE = `${TOKENS}${PAGE}${LOOK}`;
