(function(use,load,meta,require){"use strict";use("chunk-SAQ7O7IP.js");
                            function B(t,e,o){let r=t.indexOf(e);if(r===-1)return t;let n=e.length,l=0,s="";do s+=t.slice(l,r)+e+o,l=r+n,r=t.indexOf(e,l);while(r!==-1);return s+=t.slice(l),s}function M(t,e,o,r){let n=0,l="";do{let s=t[r-
1]==="\r";l+=t.slice(n,s?r-1:r)+e+(s?`\r
`:`
`)+o,n=r+1,r=t.indexOf(`
`,n)}while(r!==-1);return l+=t.slice(n),l}var I=(t=0)=>e=>`\x1B[${e+t}m`,O=(t=0)=>e=>`\x1B[${38+t};5;${e}m`,E=(t=0)=>(e,o,r)=>`\x1B[${38+t};2;${e};${o};${r}m`,V=t=>`\x1B[58;5;${t<90?t-30:t-90+8}m`,i={modifier:{reset:[0,0],bold:[1,22],dim:[2,22],
italic:[3,23],underline:[4,24],underlineDouble:["4:2",24],underlineCurly:["4:3",24],underlineDotted:["4:4",24],underlineDashed:["4:5",24],overline:[53,55],inverse:[7,27],hidden:[8,28],strikethrough:[9,
29]},color:{black:[30,39],red:[31,39],green:[32,39],yellow:[33,39],blue:[34,39],magenta:[35,39],cyan:[36,39],white:[37,39],blackBright:[90,39],gray:[90,39],grey:[90,39],redBright:[91,39],greenBright:[
92,39],yellowBright:[93,39],blueBright:[94,39],magentaBright:[95,39],cyanBright:[96,39],whiteBright:[97,39]},bgColor:{bgBlack:[40,49],bgRed:[41,49],bgGreen:[42,49],bgYellow:[43,49],bgBlue:[44,49],bgMagenta:[
45,49],bgCyan:[46,49],bgWhite:[47,49],bgBlackBright:[100,49],bgGray:[100,49],bgGrey:[100,49],bgRedBright:[101,49],bgGreenBright:[102,49],bgYellowBright:[103,49],bgBlueBright:[104,49],bgMagentaBright:[
105,49],bgCyanBright:[106,49],bgWhiteBright:[107,49]},underlineColor:{underlineBlack:["58;5;0",59],underlineRed:["58;5;1",59],underlineGreen:["58;5;2",59],underlineYellow:["58;5;3",59],underlineBlue:[
"58;5;4",59],underlineMagenta:["58;5;5",59],underlineCyan:["58;5;6",59],underlineWhite:["58;5;7",59],underlineBlackBright:["58;5;8",59],underlineGray:["58;5;8",59],underlineGrey:["58;5;8",59],underlineRedBright:[
"58;5;9",59],underlineGreenBright:["58;5;10",59],underlineYellowBright:["58;5;11",59],underlineBlueBright:["58;5;12",59],underlineMagentaBright:["58;5;13",59],underlineCyanBright:["58;5;14",59],underlineWhiteBright:[
"58;5;15",59]}},S=Object.keys(i.modifier),T=Object.keys(i.color),R=Object.keys(i.bgColor),K=Object.keys(i.underlineColor),F=[...T,...R];function z(){let t=new Map;for(let[e,o]of Object.entries(i)){for(let[
r,n]of Object.entries(o))i[r]={open:`\x1B[${n[0]}m`,close:`\x1B[${n[1]}m`},o[r]=i[r],t.set(Number.parseInt(n[0],10),n[1]);Object.defineProperty(i,e,{value:o,enumerable:!1})}return Object.defineProperty(
i,"codes",{value:t,enumerable:!1}),i.color.close="\x1B[39m",i.bgColor.close="\x1B[49m",i.underlineColor.close="\x1B[59m",i.color.ansi=I(),i.color.ansi256=O(),i.color.ansi16m=E(),i.bgColor.ansi=I(10),i.
bgColor.ansi256=O(10),i.bgColor.ansi16m=E(10),i.underlineColor.ansi=V,i.underlineColor.ansi256=O(20),i.underlineColor.ansi16m=E(20),Object.defineProperties(i,{rgbToAnsi256:{value(e,o,r){return e===o&&
o===r?e<8?16:e>248?231:Math.round((e-8)/247*24)+232:16+36*Math.round(e/255*5)+6*Math.round(o/255*5)+Math.round(r/255*5)},enumerable:!1},hexToRgb:{value(e){let o=/[\da-f]{6}|[\da-f]{3}/i.exec(e.toString(
16));if(!o)return[0,0,0];let[r]=o;r.length===3&&(r=[...r].map(l=>l+l).join(""));let n=Number.parseInt(r,16);return[n>>16&255,n>>8&255,n&255]},enumerable:!1},hexToAnsi256:{value:e=>i.rgbToAnsi256(...i.
hexToRgb(e)),enumerable:!1},ansi256ToAnsi:{value(e){if(e<8)return 30+e;if(e<16)return 90+(e-8);let o,r,n;if(e>=232)o=((e-232)*10+8)/255,r=o,n=o;else{e-=16;let p=e%36;o=Math.floor(e/36)/5,r=Math.floor(
p/6)/5,n=p%6/5}let l=Math.max(o,r,n)*2;if(l===0)return 30;let s=30+(Math.round(n)<<2|Math.round(r)<<1|Math.round(o));return l===2&&(s+=60),s},enumerable:!1},rgbToAnsi:{value:(e,o,r)=>i.ansi256ToAnsi(i.
rgbToAnsi256(e,o,r)),enumerable:!1},hexToAnsi:{value:e=>i.ansi256ToAnsi(i.hexToAnsi256(e)),enumerable:!1}}),i}var H=z(),u=H;var q,J=()=>q??=require                 ("node:process");var h=J();var Q,X=()=>Q??=require                 ("node:os");var L=X();var Z,ee=()=>Z??=require                 ("node:tty");var v=ee();function a(t,e=globalThis.Deno?globalThis.Deno.args:h.argv){let o=t.startsWith("-")?"":t.length===1?"-":"--",r=e.indexOf(o+t),n=e.indexOf("--");return r!==-1&&(n===-1||r<n)}var{env:c}=h,b;a("no-color")||
a("no-colors")||a("color=false")||a("color=never")?b=0:(a("color")||a("colors")||a("color=true")||a("color=always"))&&(b=1);function k(){return/^\d+$/.test(c.FORCE_COLOR)}function te(){if("FORCE_COLOR"in
c){if(c.FORCE_COLOR==="false")return 0;if(c.FORCE_COLOR==="true"||c.FORCE_COLOR.length===0)return 1;if(k())return Math.min(Number.parseInt(c.FORCE_COLOR,10),3)}}function oe(t){return t===0?!1:{level:t,
hasBasic:!0,has256:t>=2,has16m:t>=3}}function re(t,{streamIsTTY:e,sniffFlags:o=!0}={}){let r=te();r!==void 0&&(b=r);let n=o?b:r;if(n===0)return 0;if(o){if(a("color=16m")||a("color=full")||a("color=tru\
ecolor"))return 3;if(a("color=256"))return 2}if(n!==void 0&&k())return n;if("TF_BUILD"in c&&"AGENT_NAME"in c)return 1;if(t&&!e&&n===void 0)return 0;let l=n||0;if(c.TERM==="dumb")return l;if(h.platform===
"win32"){let s=L.release().split(".");return Number(s[0])>=10&&Number(s[2])>=10586?Number(s[2])>=14931?3:2:1}if("CI"in c)return["GITHUB_ACTIONS","GITEA_ACTIONS","CIRCLECI"].some(s=>s in c)?3:["TRAVIS",
"APPVEYOR","GITLAB_CI","BUILDKITE","DRONE"].some(s=>s in c)||c.CI_NAME==="codeship"?1:l;if("TEAMCITY_VERSION"in c)return/^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/.test(c.TEAMCITY_VERSION)?1:0;if(c.COLORTERM==="t\
ruecolor"||c.TERM==="xterm-kitty"||c.TERM==="xterm-ghostty"||c.TERM==="wezterm")return 3;if("TERM_PROGRAM"in c){let s=Number.parseInt((c.TERM_PROGRAM_VERSION||"").split(".",1)[0],10);switch(c.TERM_PROGRAM){case"\
iTerm.app":return s>=3?3:2;case"Apple_Terminal":return 2}}return/-256(?:color)?$/i.test(c.TERM)?2:/^screen|^xterm|^vt100|^vt220|^rxvt|color|ansi|cygwin|linux/i.test(c.TERM)||"COLORTERM"in c?1:l}function _(t,e={}){
let o=re(t,{streamIsTTY:t&&t.isTTY,...e});return oe(o)}var ne={stdout:_({isTTY:v.isatty(1)}),stderr:_({isTTY:v.isatty(2)})},w=ne;var{stdout:P,stderr:U}=w,f=Symbol("GENERATOR"),x=Symbol("STYLER"),y=Symbol("IS_EMPTY"),C=Symbol("LEVEL"),g=Object.create(null),G=t=>{if(!Number.isSafeInteger(t)||t<0||t>3)throw new Error("The `level` \
should be an integer from 0 to 3")},se={enumerable:!0,get(){return this[C]},set(t){G(t),this[C]=t}},ie=(t,e={})=>{e.level!==void 0&&G(e.level);let o=P?P.level:0;t[C]=e.level===void 0?o:e.level},j=class{constructor(e){
return D(e)}},D=t=>{let e=(...o)=>o.join(" ");return ie(e,t),Object.setPrototypeOf(e,m.prototype),e};function m(t){return D(t)}Object.setPrototypeOf(m.prototype,Function.prototype);for(let[t,e]of Object.
entries(u))g[t]={get(){let o=N(this,Y(e.open,e.close,this[x]),this[y]);return Object.defineProperty(this,t,{value:o}),o}};g.visible={get(){let t=N(this,this[x],!0);return Object.defineProperty(this,"v\
isible",{value:t}),t}};var le=(t,e)=>{let o=u[e];if(t==="rgb"){let n=(s,p,d)=>o.ansi(u.rgbToAnsi(s,p,d));return[n,n,(s,p,d)=>o.ansi256(u.rgbToAnsi256(s,p,d)),o.ansi16m]}if(t==="hex"){let n=s=>o.ansi(u.
hexToAnsi(s));return[n,n,s=>o.ansi256(u.hexToAnsi256(s)),s=>o.ansi16m(...u.hexToRgb(s))]}let r=n=>o.ansi(u.ansi256ToAnsi(n));return[r,r,o.ansi256,o.ansi256]},ce=["rgb","hex","ansi256"];for(let t of ce){
let e=t[0].toUpperCase()+t.slice(1);for(let[o,r]of[[t,"color"],["bg"+e,"bgColor"],["underline"+e,"underlineColor"]]){let{close:n}=u[r],l=le(t,r);g[o]={get(){let s=function(p,d,$){let W=l[this.level](p,
d,$);return N(this,Y(W,n,this[x]),this[y])};return Object.defineProperty(this,o,{value:s}),s}}}}var ae=Object.defineProperties(()=>{},{...g,level:{enumerable:!0,get(){return this[f].level},set(t){this[f].
level=t}}}),Y=(t,e,o)=>{let r,n;return o===void 0?(r=t,n=e):(r=o.openAll+t,n=e+o.closeAll),{open:t,close:e,openAll:r,closeAll:n,parent:o}},N=(t,e,o)=>{let r=(...n)=>n.length===1?A(r,""+n[0]):n.length===
2?A(r,`${n[0]??""} ${n[1]??""}`):A(r,n.join(" "));return Object.setPrototypeOf(r,ae),r[f]=t[f]??t,r[x]=e,r[y]=o,r},A=(t,e)=>{if(t[f][C]<=0||!e)return t[y]?"":e;let o=t[x];if(o===void 0)return e;let{openAll:r,
closeAll:n}=o;if(e.includes("\x1B"))for(;o!==void 0;)e=B(e,o.close,o.open),o=o.parent;let l=e.indexOf(`
`);return l!==-1&&(e=M(e,n,r,l)),r+e+n};Object.defineProperties(m.prototype,{...g,level:se});var ue=m(),Te=m({level:U?U.level:0});var Re=ue;                                                                                                                                                                                                                
                                                                      

return{Chalk:j,backgroundColorNames:R,backgroundColors:R,chalkStderr:Te,colorNames:F,colors:F,default:Re,foregroundColorNames:T,foregroundColors:T,modifierNames:S,modifiers:S,supportsColor:P,supportsColorStderr:U,underlineColorNames:K}})