(function(use,load,meta,require){"use strict";
var b=6e4,N=[1e3,5e3,1e4,15e3,3e4,...[1,2,5,10,15,30].map(n=>n*b),...[1,2,4,6,12].map(n=>n*36e5),...[1,2,5,10,30,90,365].map(n=>n*864e5)],h=9;function J(n,t,o){let[e,s]=n,f=e===void 0||s===void 0?b:s.
openTime-e.openTime,g=n.length<2?1:t(1)-t(0),r=N.find(m=>m/f*g>=h)??N.at(-1),i="",c=Number.NaN;for(let[m,{openTime:d}]of n.entries()){let a=Math.floor(d/r),M=Number.isNaN(c);if(a===c||(c=a,M&&d%r!==0))
continue;let p=x(a*r,f,r),l=t(m);l<i.length+(i===""?0:1)||l+p.length>o||(i=i.padEnd(l)+p)}return i.padEnd(o)}function x(n,t,o){let e=new Date(n).toISOString(),s=`${T[Number(e.slice(5,7))-1]} ${Number(
e.slice(8,10))}`;return o>=300*864e5?e.slice(0,4):t>=864e5||n%864e5===0?s:o<b?e.slice(11,19):e.slice(11,16)}var T=["Jan","Feb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"];               

return{a:J}})