(function(use,load,meta,require){"use strict";const {Af:g}=use("chunk-AFUPYCZE.js");
                                         var k=class{count=0;prices=[];sizes=[];clear(){this.count=0}push(s,i){this.prices[this.count]=s,this.sizes[this.count]=i,this.count+=1}},l=new Float64Array(0),y=64,b=class{sign;count=0;best=Number.NaN;knownTo=Number.
NaN;prices=l;sizes=l;sparePrices=l;spareSizes=l;constructor(s){this.sign=s}sizeAt(s){let i=this.find(s);return i<0?0:this.sizes[i]}knows(s){return this.sign*s>=this.sign*this.knownTo||this.find(s)>=0}write(s,i=0){
let t=i;for(let e=this.count-1;e>=0;e-=1)s[t]=this.prices[e],s[t+1]=this.sizes[e],t+=2;return t}applyDelta(s,i,t){for(let e=0;e<i;e+=1){let n=s[2*e],r=s[2*e+1],o=this.find(n);if(o>=0){if(r===this.sizes[o])
continue;r===0?this.removeAt(o):this.sizes[o]=r,t.push(n,r)}else r!==0&&(this.insertAt(-o-1,n,r),t.push(n,r))}this.best=this.count===0?Number.NaN:this.prices[this.count-1]}replace(s,i,t){if(this.sparePrices.
length<i){let h=Math.max(y,2*i);this.sparePrices=new Float64Array(h),this.spareSizes=new Float64Array(h)}let{sign:e,prices:n,sizes:r,sparePrices:o,spareSizes:c,count:m}=this,a=0;for(let h=0;h<i;h+=1){
let f=2*(i-1-h),u=s[f],d=s[f+1];o[h]=u,c[h]=d;let z=e*u;for(;a<m&&e*n[a]<z;)t.push(n[a],0),a+=1;a<m&&n[a]===u?(r[a]!==d&&t.push(u,d),a+=1):t.push(u,d)}for(;a<m;a+=1)t.push(n[a],0);this.prices=o,this.sizes=
c,this.sparePrices=n,this.spareSizes=r,this.count=i,this.best=i===0?Number.NaN:o[i-1],this.knownTo=i===0?Number.NaN:o[0]}find(s){let{prices:i,sign:t}=this,e=t*s,n=0,r=this.count-1;for(;n<=r;){let o=n+
r>>1,c=t*i[o];if(c===e)return o;c<e?n=o+1:r=o-1}return-n-1}insertAt(s,i,t){this.count===this.prices.length&&this.grow();let{prices:e,sizes:n,count:r}=this;s<r&&(e.copyWithin(s+1,s,r),n.copyWithin(s+1,
s,r)),e[s]=i,n[s]=t,this.count=r+1}removeAt(s){this.prices.copyWithin(s,s+1,this.count),this.sizes.copyWithin(s,s+1,this.count),this.count-=1}grow(){let s=Math.max(y,2*this.count);this.prices=A(this.prices,
s),this.sizes=A(this.sizes,s)}},w=class{bids=new b(1);asks=new b(-1);time=Number.NEGATIVE_INFINITY;sequence=0;gap=null;marks=null;changedBids=new k;changedAsks=new k;get mid(){return this.bids.best+this.
asks.best}isRecent(s,i){return this.gap===null&&s-this.time<=i}isFresh(s,i){return this.isRecent(s,i)&&this.bids.count>0&&this.asks.count>0}load({time:s,sequence:i,bids:t,asks:e,bidsKnownTo:n,asksKnownTo:r,
gap:o,marks:c}){if(this.marks=c??null,o!==void 0){this.lose(o);return}this.replace(s,i,{bids:t,bidCount:t.length/2,asks:e,askCount:e.length/2}),n!==void 0&&(this.bids.knownTo=n),r!==void 0&&(this.asks.
knownTo=r)}snapshot(){let s=[],i=[];this.bids.write(s),this.asks.write(i);let{time:t,sequence:e,gap:n,marks:r}=this,o={bidsKnownTo:this.bids.knownTo,asksKnownTo:this.asks.knownTo};return{time:t,sequence:e,
bids:s,asks:i,...o,...n===null?{}:{gap:n},...r===null?{}:{marks:r}}}lose(s){this.bids.replace([],0,this.changedBids),this.asks.replace([],0,this.changedAsks),this.changedBids.clear(),this.changedAsks.
clear(),this.gap=s,this.marks=null}takeMarks({time:s,mark:i,index:t,fundingRate:e,fundingHours:n,nextFundingAt:r}){this.gap===null&&(this.marks={time:s,mark:i,index:t,fundingRate:e,fundingHours:n,nextFundingAt:r})}replace(s,i,t){
this.begin(s,i),this.gap=null,this.bids.replace(t.bids,t.bidCount,this.changedBids),this.asks.replace(t.asks,t.askCount,this.changedAsks),this.meet()}update(s,i,t){this.begin(s,i),this.bids.applyDelta(
t.bids,t.bidCount,this.changedBids),this.asks.applyDelta(t.asks,t.askCount,this.changedAsks),this.meet()}meet(){let{bids:s,asks:i}=this,t=s.best,e=i.best;e<s.knownTo&&(s.knownTo=e),t>i.knownTo&&(i.knownTo=
t)}begin(s,i){g(!(s<this.time),"book-forward",s),this.time=s,this.sequence=i,this.changedBids.clear(),this.changedAsks.clear()}};function A(p,s){let i=new Float64Array(s);return i.set(p),i}                        

return{a:k,b:b,c:w}})