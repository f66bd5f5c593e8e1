(function(use,load,meta,require){"use strict";const {Be:f,De:R,Dl:W,He:h,K:k,Ol:A,P:c,U:a,Ul:w,X:u,Yi:O,ba:d,bm:N,ch:C,eh:_,em:q,fm:g,g:$,gm:y,h:v,la:l,lk:T,ll:F,mk:E,ml:I,rd:s,sd:p,td:b,th:P,xd:x}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                         
                                                                                              var j={summary:"Show the simulation's clock, prices and open orders",examples:[["perp sim status","the simulation in use"]],simulationOnly:!0};async function B(e){let{data:t}=await e.call("simStatus",
{}),i=await y(l(e.variables),t.state),r=t.speed===1?"":`, ${c(t.speed)}x speed`,m=[...t.trading_halt.platform?["the platform"]:[],...t.trading_halt.categories],n=o=>d(o,e.settings);return s(t,()=>[p({
text:`Simulation ${t.state}`,tone:"strong"},i===void 0?"  in this process":`  served at ${i.baseUrl}`),b(["prices",`${t.source}${t.blind?", blind":""}, ${u(t.markets,"market")}`],["books",t.books??void 0],
["clock",t.clock==="manual"?n("manual; perp sim advance advances it"):`real${r}`],["time",a(t.time)],["recording",t.first_time===null||t.last_time===null?void 0:`${a(t.first_time)} to ${a(t.last_time)}`],
E(t)?["ended",{text:n(`the recording is over, so ${T}`),tone:"warn"}]:void 0,["seed",String(t.seed)],["accounts",String(t.accounts)],...t.ended_accounts.map(o=>[o.name,_(o,C(o))]),["open",`${u(t.open_positions,
"position")}, ${u(t.working_orders,"order")}, ${t.running_strategies} strategies`],["halted",m.length===0?void 0:{text:m.join(", "),tone:"warn"}])])}var G={summary:"Set the simulation that commands us\
e without --state",description:"A command uses the simulation of --state, else of PERP_STATE, else of sim.state in the config, else the one in use, else default. A simulation chosen here stays in use,\
 in scripts, too, until you choose another; perp sim use default ends it. perp sim serve --use puts its simulation in use while it runs, but only for commands on a terminal. The latest choice wins. Wi\
thout NAME, shows the one in use.",args:[{name:"name",kind:"state",optional:!0,summary:"simulation to use"}],options:{weather:O},examples:[["perp sim use","which one commands use, and why"],["perp sim\
 use default","back to the default one"],["perp sim use default --weather 7","simulate a bad day of a real service, until --weather off"]],simulationOnly:!0,changesMore:!0};async function M(e,t){let{settings:i,
variables:r,outside:m}=e,n=await W(t.weather),o=t.name??(n===void 0?void 0:i.simulation.plain);if(o===void 0)return z(i.simulation.plain,i.simulation.plainFrom);if(!R(o)||o!==f&&!g(r).includes(o)){let U=[
...new Set([f,...g(r)])].join(", ");throw v(`There is no simulation ${k(o)}.`,`Simulations: ${U}.`)}if(i.dryRun)return s({state:o},()=>[x(o)]);n!==void 0&&await H(e,o,n),q(r,o,m.now());let{plain:S,plainFrom:D}=await N(
r,e.person.isInteractive);return S!==o&&e.note(`${D} names ${S}, which takes precedence.`),s({state:o},()=>[p({text:o,tone:"strong"}," is in use.")])}async function H({variables:e,outside:t},i,r){let m=l(
e);if(await y(m,i)!==void 0)throw $(`The simulation ${i} is being served, so its weather can't change now.`,"Stop it, or serve it with --weather.");let{openSimulation:n}=await load  ("./public-JEEFC6HQ.js");
(await n({stateDir:m,state:i,weather:r,beginning:t.beginning})).close()}function z(e,t){return s({state:e,from:t},()=>[p({text:e,tone:"strong"},t==="default"?"  no others are in use":`  by ${t}`)])}var J={
summary:"Create the funded successor of a passed account",args:[{name:"account",kind:"account",summary:"the passed account"}],examples:[["perp sim fund acc_1","after it passed its challenge"]],simulationOnly:!0};
async function K(e,t){return A(e,"simFund",{body:{account_id:t.account}},{question:`Create the funded successor of ${t.account}?`,done:({data:i})=>s(i,()=>P(i))})}var L={summary:"Show a served simulat\
ion's weather and how clients coped",description:"Counts since perp sim serve started. perp sim serve --weather SEED turns weather on; perp sim run --weather SEED reports it at the end.",examples:[["p\
erp sim weather","the weather so far, and how clients reacted"],["perp sim weather --jq .writes.doubled","for a script"]],simulationOnly:!0};async function Q(e){let{data:t}=await e.call("simWeather",{}),
{profile:i,...r}=t;return s(t,()=>[p(`weather: ${I(i)}`),...F(r).map(m=>p(m))])}var V={summary:"Stop the clock until perp sim resume",examples:[["perp sim pause","pause the market"]],simulationOnly:!0};
async function X(e){let t={running:!1};if(e.settings.dryRun){let{client:r}=await e.access();return w([r.intend("simSetClock",{body:t})])}let{data:i}=await e.call("simSetClock",{body:t});return h(e,void 0,
s(i,()=>[p({text:`Paused at ${a(i.time)}.`,tone:"strong"},d(" Use perp sim resume to continue, or perp sim advance to step.",e.settings))]))}var Y={summary:"Restart the clock; with --speed, N times as\
 fast",examples:[["perp sim resume","in real time"],["perp sim resume --speed 10","ten times as fast"]],simulationOnly:!0};async function Z(e){let{speed:t}=e.settings.simulation,i={running:!0,speed:t??
1};if(e.settings.simulation.speed=void 0,e.settings.dryRun){let{client:n}=await e.access();return w([n.intend("simSetClock",{body:i})])}let{data:r}=await e.call("simSetClock",{body:i}),m=r.speed===1?"":
`, ${c(r.speed)}x speed`;return h(e,void 0,s(r,()=>[p({text:`Resumed at ${a(r.time)}${m}.`,tone:"strong"})]))}var St={status:{command:j,run:B},use:{command:G,run:M},fund:{command:J,run:K},weather:{command:L,
run:Q},pause:{command:V,run:X},resume:{command:Y,run:Z}};                       

return{commands:St}})