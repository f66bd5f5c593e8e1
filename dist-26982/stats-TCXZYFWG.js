(function(use,load,meta,require){"use strict";const {U:l,Z:b,la:k,rd:$,sd:d,ud:w,vd:c}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                   var R={summary:"Simulate markets and measure spread, depth and order flow",description:"Without MARKET, shows one market of each kind. With --books, shows the markets of a recording, each next to the \
synthetic market of the same symbol.",args:[{name:"market",optional:!0,repeat:!0,kind:"market",summary:"symbols or ids"}],options:{hours:{value:"N",kind:"count",maximum:168,summary:"hours of synthetic\
 prices to play (default 8)"},gates:{summary:"check that resting orders and simple signals earn nothing"},seed:{value:"N",kind:"count",maximum:999999999,summary:"seed of the synthetic prices (default \
1)"}},examples:[["perp sim markets stats","one of each kind"],["perp sim markets stats BTC ETH --hours 24","one day of two markets"],["perp sim markets stats BTC ETH EUR --gates --hours 24","the earni\
ngs of makers and bots"],["perp sim markets stats --books friday.jsonl.gz","a recording and its synthetic counterparts"]],simulationOnly:!0};async function U(t,o){let{marketStatistics:n}=await load  ("./public-JEEFC6HQ.js"),
i=(await t.person.during("Playing markets",()=>n({books:t.settings.simulation.books,stateDir:k(t.variables),markets:o.market??[],seed:o.seed??1,hours:o.hours??8,gates:o.gates,until:E(t.outside.now())}))).
map(({source:r,market:m,from:p,to:s,figures:a})=>({source:r,market_id:m.marketId,symbol:m.symbol,from:p,to:s,figures:a.map(({name:x,unit:T,value:h,least:g,most:y})=>({name:x,unit:T,value:Number.isFinite(
h)?h:null,...(g??y??null)===null?{}:{least:g,most:y}}))})),e=new Map(i.flatMap(({figures:r})=>r.map(({name:m,unit:p})=>[m,p])));return $(i,()=>[...i.map(({source:r,symbol:m,market_id:p,from:s,to:a})=>d(
{text:m,tone:"strong"},`  ${b(p)}, ${r}, ${l(s)} to ${l(a)}`)),c,w([...e.keys()],[{header:"FIGURE",cell:r=>r},...i.map(({symbol:r,source:m,figures:p})=>({header:m==="recorded"?`${r} recorded`:r,align:"\
right",cell:s=>u(p.find(a=>a.name===s)?.value??null)})),...o.gates?[{header:"MUST BE",cell:r=>S(i,r)}]:[],{header:"UNIT",cell:r=>e.get(r)??""}]),...o.gates?[c,d({text:M(o.hours??8),tone:"faint"})]:[]])}
function M(t){let o=(1/Math.sqrt(60*t)).toFixed(3);return`The bounds are for means over many days. In ${t} h, an autocorrelation across the end of a minute varies by about ${o} by chance (one standard\
 error).`}function S(t,o){let n=new Map,f=t.filter(({source:i})=>i!=="recorded").length;for(let{symbol:i,figures:e}of t){let r=e.find(p=>p.name===o),m=r===void 0?"":_(r.least??null,r.most??null);m!==""&&
n.set(m,[...n.get(m)??[],i])}return[...n].map(([i,e])=>e.length<f?`${e.join(", ")}: ${i}`:i).join("; ")}function _(t,o){return t===null?o===null?"":`up to ${u(o)}`:`${u(t)} to ${u(o)}`}function E(t){return Math.
floor(t/36e5)*36e5}function u(t){return t===null?"":Math.abs(t)>=1e3?Math.round(t).toLocaleString("en-US"):String(Number(t.toPrecision(3)))}                              

return{command:R,run:U}})