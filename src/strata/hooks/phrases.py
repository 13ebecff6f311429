"""What people say when they resume, decide, search or track: phrases with their weights.

Each entry is one idea, a weight and what people say for it: its best phrase counts once, however
many of them are there. A weight of 5 is enough alone, one of 3 needs another idea beside it, and
one below zero speaks against. In a phrase, `…` stands for anything between, `^` for the beginning,
`$` for the end, `?` and `:` for themselves. English is compared word by word without apostrophes;
Korean letter by letter without blanks, because both ways of spacing are common.
"""

RESUMING = """
5    whered we | where d we | get going again | going again on | what we were doing |
     what i was doing | where we got to | back at it | last thing we did | last thing i did |
     last thing we worked | did we get stuck | did i get stuck | open threads | we began on |
     where we paused | where did we pause | go back to what we | where did we end |
     where did i stop | where were we | where was i | where did we leave | where did i leave |
     where did we stop | where we left | where i left | left off | where we stopped |
     where i stopped | how far did we get | how far had we
5    pick up … left | pick this up again | pick it up again | pick this back up |
     pick it back up | pick up the … from | pick up from
5    lets continue | lets carry on | lets resume | lets keep going | carry on with |
     carry on from | continue from where | continue our | continue with our |
     continue yesterdays | continue with yesterdays | continue from last |
     continue from yesterday | keep going with what | keep going from | resume our | resume my |
     resume work | resuming work | resume the work | resume where | resume from where |
     ^ resume $ | get back to what | back to where we | back to work on
4    last session | previous session | our session | last checkpoint | latest checkpoint |
     resume session | resume the session | continue the session | load the checkpoint |
     load checkpoint | restore the checkpoint | load … checkpoint
5    what was i working on | what were we working on | what was i doing | what were we doing |
     in the middle of | what had we started | what we started | what i started | catch me up |
     bring me up to speed | get me up to speed | remind me … left to do | remind me … working on
5    how did things stand | where did things stand | where do things stand | where things stand |
     where things are | where do we stand | where are we with | how far along | restore what we |
     lets get back | get back into | back into it | lets go on | go on with what |
     the plan we made | the thing from yesterday | what we had open | pick up again |
     start again where | we stopped at | i stopped at | we got stuck at | from there on |
     on from there | back up $ | keep working on the | keep on with | where we are and |
     where i was | back to where | left unfinished | leave unfinished | nights work |
     yesterdays work | mornings work | weeks work | finish what | reload … state | unfinished
4    im back | i am back | back from | good morning | new day | next day | welcome back |
     ^ back to the | ^ back to our
3    lets proceed | lets move on | the plan for | what was the plan | open tasks | our list |
     todo list | what did we have left | whats the status of | what is the status of |
     status of our | next item | next task | next step | still open on | whats next |
     what is next | whats left | what is left | left to do | still open | next on our |
     next steps | what remains
2.2  yesterday | yesterdays | on tuesday | on wednesday | by accident | a while ago |
     some days ago | last month | over the weekend | last time | last night | last nights |
     before the meeting | before lunch | on monday | on thursday | earlier today | last evening |
     the plan | last week | last friday | on friday | before the weekend | this morning |
     the other day | from before
2.2  back to the | back to our | unfinished | go on ? | go on $ | continue | resume | resuming |
     keep going | carry on | continuing | pick up
5    체크포인트부터 | 하던대화 | 하던얘기 | 하던이야기 | 이어서하 | 이어서진행 | 이어서작업 |
     이어서가 | 이어서해 | 이어하자 | 이어가자 | 이어갑시다 | 이어나가 | 이어서계속 | 이어서시작 |
     이어서개발 | 이어서할 | 이어할 | 이어줘 | 이어서부탁 | 이어서마무리 | 이어볼까
5    계속하자 | 계속합시다 | 계속진행하자 | 계속이어 | 작업계속 | 마저하자 | 마저해 | 마저진행 |
     마저끝내 | 재개하자 | 재개해 | 재개합시다 | 다시이어 | 다시시작하자 | 다시시작해볼까 |
     다시해볼까 | 그거계속 | 계속진행해 | 세션이끊 | 끊긴데 | 세션이끊겼
4    하던데 | 하던거 | 하던것 | 하던일 | 하던작업 | 하던대로 | 하던결제 | 하다만 | 하다가만 |
     하다말았 | 멈춘데 | 멈춘곳 | 멈췄던 | 중단했던 | 중단한데 | 작업하던 | 보던거 | 개발하던 |
     고치던
5    멈췄는데 | 거기서부터 | 거기부터 | 부터다시 | 부터시작하자 | 부터이어 | 마무리못 | 못끝낸 |
     못다한 | 끝내지못 | 미완 | 중단된 | 멈춘부분 | 어디서멈췄 | 어디서끝났 | 거기서이어 |
     마지막으로한작업 | 마지막작업 | 남긴것부터 | 남은것부터 | 복구해줘 | 시간에이어 | 뭐까지했 |
     어디쯤 | 진행상황 | 현황이어떻 | 어디까지했 | 어디까지진행 | 어디까지하 | 어디까지됐 |
     어디까지왔 | 뭐하고있었 | 뭐하다 | 마지막으로뭐 | 어제뭐했 | 지난번에뭐했 | 무엇을하고있었 |
     뭘하고있었
4    지난세션 | 이전세션 | 마지막세션 | 저번세션 | 체크포인트불러 | 체크포인트로드 |
     체크포인트에서 | 마지막체크포인트 | 최근체크포인트
4    지금상태 | 현재상태 | 상태정리 | 남은일 | 남은작업 | 남은거 | 다음할일 | 할일이뭐 |
     다음단계가뭐 | 다음에뭐하
2.2  만에왔 | 오랜만 | 어제 | 지난번 | 저번 | 아까 | 지난주 | 오전에 | 아침에 | 회의전 | 점심전 |
     휴가다녀 | 돌아왔어 | 오늘도
2.2  이어갈게 | 이어갈 | 월요일에 | 금요일에시작 | 이어서 | 계속 | 마저 | 재개
-3   what did we decide | why did we | 했더라 | 였더라 | 찾아줘 | 검색해
-4   resume button | resume pdf | resume template | continue statement | continue button |
     continue문 | 날짜 | 버튼 | 이력서
"""

DECIDING = """
4    추천해줘
5    which one ? | or not ? | do we … or | do i … or | between … which | should we … or |
     should i … or | shall we … or | do we want … or | would you … or | better to … or |
     should we use | should we go | should we pick | should we choose | should we even |
     should we support | should we allow | should we add | should we make | should we adopt |
     should we switch | should we keep | should we drop | should we move
5    lets go with | lets settle on | settle on | lets stick with | stick with … for now |
     lets adopt | lets standardize on | lets pick | ^ going with | were going with |
     are going with | well go with | we go with | ill go with | go with option | lets choose |
     im going with | lets use | lets switch to | lets move to | its settled | that settles |
     i want us to | id like us to | we have two options | two options : | lets make … a rule |
     lets make … day | lets drop | lets keep | lets avoid | lets not | well standardise on |
     well standardize on | standardise on | standardize on | made up my mind | ive made up |
     we made up
5    settled on | weve settled | has been decided | agreed on | agreed that | agreed to |
     ive chosen | i have chosen | i choose | we choose | my vote goes | my vote is | i vote for |
     ive picked | its going to be | we commit to | committed to using | we decided | i decided |
     ive decided | weve decided | we have decided | i have decided | decided to | decided on |
     decided against | we agreed | weve agreed | we chose | we picked | we settled | weve chosen |
     we opted | its decided | team decided
5    need to decide | have to decide | must decide | want to decide | decide on | decide between |
     decide whether | help me decide | help us decide | help me choose | choose between |
     decide which | decide how | make a decision | pick between | cant choose | cant decide
5    ^ decision : | as a decision | this decision : | ^ decided | ^ agreed | ^ conclusion |
     ^ resolved | final decision | my decision | our decision is | decision is to |
     decision made | record this decision | record the decision | record a decision |
     save this decision | save the decision | note this decision | log this decision |
     document this decision
5    from now on we | from now on … must | from now on … always | from now on … never |
     as a rule we | going forward we | the rule is | we will not | we wont | we will use |
     well use | we will always | we will never | we never | we always | no more … anymore |
     not support … anymore | we no longer support | we dont support | were using … not |
     we use … not | were using … instead
5    whether to … or | not sure whether | going forward … need | going forward … must |
     going forward all | better off with | better off … or | which way do we go |
     what should we go with | are we going to … or | torn between | undecided |
     what would you recommend | which would you recommend | which do you recommend |
     do you recommend … or | what do you recommend for | is it worth … or | worth switching |
     worth moving | does it make sense to | would it be better
3    write that down | write this down | for the record | put that on record | note it down |
     make a note | note that we | keep in mind that we | document that we
4    pros and cons | trade offs | tradeoffs | trade off | tradeoff | which one should |
     which should we | which is better for us | weigh the options | leaning towards |
     leaning toward | which of these should | which option
4    i think we should | maybe we should | we should probably | i suggest we | i propose we |
     i propose to | im in favor of | i prefer | i would rather | id rather | make a note … chose
2    instead of | rather than | versus | vs | over | for us | for now | because
5    없애자 | 금지하자 | 허용하자 | 필수로하자 | 까…까$ | 까…까? | ^결론: | 결론은 | 결론적으로 |
     결론났 | 결정: | 마음먹었 | 는걸로$ | 은걸로$ | 쓰자 | 사용하자 | 도입하자 | 바꾸자 |
     옮기자 | 전환하자 | 버리자 | 유지하자 | 않기로 | 안쓰기로 | 지원안하기로 | 지원하지않기로
5    선택할게 | 합의함 | 합의됨 | 확정함 | 게나을것같 | 게좋을것같 | 게맞을것같 | 로하는게좋 |
     로하는게나 | 결정했 | 결정했어 | 로결정 | 기로결정 | 결정해야 | 결정하자 | 결정합시다 |
     결정을내 | 결정내려 | 결정할게 | 결정기록 | 결정을기록 | 결정저장 | 결정을저장 | 결정이필요
5    선택해야 | 선택하자 | 선택했 | 선택합시다 | 골라야 | 고르자 | 골랐어 | 채택하자 | 채택했 |
     채택하기로
5    기로했어 | 기로했다 | 기로했습니다 | 기로했음 | 기로하자 | 기로합시다 | 기로함 | 기로정했 |
     기로합의 | 걸로하자 | 것으로하자 | 걸로가자 | 것으로가자 | 걸로할게 | 걸로정 | 합의했 |
     로확정 | 확정하자 | 확정할게 | 확정했
5    으로가자 | 로가자 | 으로갑시다 | 로갑시다 | 으로갈게 | 로갈게 | 로갈지 | 으로갈지
5    으로정했 | 로정했 | 정해야해 | 정해야돼 | 정해야한 | 정하자 | 정합시다 | 정해보자 | 정해야겠
5    뭐가나을까 | 뭐가더나 | 어느게나을 | 어떤게나을 | 게나을까 | 것이나을까 | 뭐가좋을까 |
     어느쪽이 | 어떤게더 | 중에뭐가 | 중에서뭐가 | 중에뭘 | 중에어떤 | 중에서어떤 | 중어느 |
     중어떤 | 할지말지 | 쓸지말지 | 갈지말지 | 장단점 | 뭐가더좋 | 더좋을까 | 더나을까 |
     게맞을까 | 게좋을까 | 나을지 | 좋을지 | 맞을지 | 뭘추천 | 뭐추천 | 게어떨까 | 는게어때 |
     으로할지 | 로할지 | 할지안할지 | 게맞나 | 게낫나 | 게나아
4    쓸까 | 을까고민 | 할까고민 | 고민이야 | 고민중 | 고민된다 | 앞으로는 | 앞으로우리
3    중에 | 중에서 | 둘중 | 대신
4    하자$ | 가자$ | 두자$ | 말자$ | 통일하자 | 통일하기로 | 중에서골라 | 중에골라 | 정해줘
-3   이어서 | 계속 | 마저 | 다시 | 하던 | 부터
-5   기로했지 | 기로했죠 | when was it | how come | why do we | what did we decide |
     what have we decided | why did we | when did we | how did we | what was decided |
     what had we | did we decide | have we decided | remind me | do you remember |
     past decisions | earlier decision | previous decision | search | recall | find the | 기억나 |
     기억해 | 했더라 | 였더라 | 였지 | 했었지 | 왜 | 찾아줘 | 찾아봐 | 검색 | 예전 | 이전결정 |
     지난번 | 이유가
-4   mark the | as failed | as successful | superseded | no longer holds | 잘못됐 | 유효하지 |
     실패였
-4   결정트리 | decision tree | user decide | users decide | user choose | users choose |
     customer choose | 선택기 | 선택버튼 | 파일선택 | 선택할수 | 선택상자 | 선택자 | 선택지 |
     what should i do | how should i | should return | should i do
"""

SEARCHING = """
5    what did we | what have we | what had we | why did we | when did we | how did we |
     who decided | where did we put | where did we keep | what did i | why did i | how did i |
     when did i | what was decided | how have we | why have we | which … did we | what … did we |
     how … did we | why … did we | where … did we | who … did we | which … have we |
     which … had we | what … had we | did we end up | did we write | we wrote down | we noted |
     we ended up
5    did we ever | did we already | have we ever | have we seen | have we tried | have we had |
     have we discussed | have we done | have we already | have i seen | did we try |
     did we discuss | have we talked | did we talk | have we decided | did we decide |
     did we agree
5    i forgot | i forget | ive forgotten | cant remember | dont remember | who approved |
     who signed off | look up the decision | look up our | what … agree on | arguments against |
     arguments for | when was it | everything we know | all we know | what rules do we |
     do we have for | did anyone | has anyone | why … and not | have we … before |
     have we … earlier | have we run into | have we hit | have we met | have we come across |
     what made us | what led us | what drove us | what did the team | what did they say |
     what did … say about | where is it written | where does it say | where is it documented |
     do we have notes | notes from | minutes of | mentions of | earlier mentions |
     what happened with | who chose | whose idea | whats our | what is our | what are our |
     wheres our | where is our | where are our | who asked | who wanted | who requested |
     who decided | wasnt there | werent there | isnt there something | how come we |
     what was the conclusion | what was the decision | what was the outcome of our |
     what we said | what i said | what we wrote | what we decided | what we agreed |
     what we know | anything stored | anything saved | anything recorded | what is stored |
     whats stored | our discussion | our earlier | our previous | earlier discussion |
     previous discussion | whats the reason … are | any context on | any background on |
     any reason we | background on | context behind | the story behind | is it written |
     is there something about | do we have a | do we have any | do we already have
5    what was our | what were our | what was the reason | whats the reason we | reason we |
     our reasoning | the reasoning | the rationale | why are we using | why are we still |
     why do we use | why do we have | why do we still | why dont we | remind me why |
     remind me what | remind me how | remind me when | remind me which
5    do you remember | do you recall | can you recall | ^ recall | what do we know |
     what do you know about | what do we have on | anything on record | is there an earlier |
     is there a previous | is there any record | was there a
5    check memory | check your memory | check the memory | in our memory | look in memory |
     from memory | in your memory | check strata | ask strata | look in strata | search past |
     search our | search my | search the notes | search the memory | search memory |
     search the decisions | search previous | search earlier | search your memory |
     look through our | look through my | look through the notes | look up our | look in our |
     check our notes | check the notes | search for our | search old | dig up | look for … notes
5    past decisions | past decision | earlier decision | earlier decisions | previous decisions |
     past notes | our notes | old notes | my notes | any notes | the note about | the note on |
     the notes about | the decision about | the decision on | find the decision | find our |
     history of … decision | decisions about | decisions on | decision history
2    before | again | last time | previously | in the past | back then | earlier | already
2    recall | remember | remind me | notes | memory | decision | decisions | decide | decided
5    했더라 | 였더라 | 했더라고 | 했었더라 | 뭐더라 | 더라$ | 더라? | 였지? | 였지$ | 었지? |
     었지$ | 였나? | 했었나 | 이었나 | 뭐였지 | 어디였지 | 언제였지 | 누구였지 | 몇이었지 |
     뭐라고했 | 뭐라고정 | 뭐라고적 | 정리했지 | 적어놨 | 적어뒀 | 써놨 | 써뒀 | 기록해놨 |
     기록해뒀 | 어디적 | 어디에적 | 있던가 | 했던가 | 였던가 | 어떻게했었
5    기억나 | 기억해? | 기억하니 | 기억하고있 | 기억이나 | 생각나?
5    본적있 | 해본적 | 한적있 | 쓴적있 | 겪은적 | 적이있 | 적있어 | 적있나 | 적있었
5    언제정했 | 언제결정 | 언제바꿨 | 기로했지 | 기로했죠 | 왜…기로했 | 배경이뭐 | 정한배경 |
     정한이유 | 한배경 | 이유가있 | 결정한이유 | 바꾼이유 | 쓰는이유 | 고른이유 | 선택한이유 |
     저장해둔 | 저장해놓 | 저장된거 | 기록된거 | 논의내용 | 논의한내용 | 정리한내용 | 누가요청 |
     누가승인 | 누가정 | 누가결정 | 우리정책 | 우리규칙 | 우리기준 | 우리뭐 | 우리어떻게 |
     논의한적 | 얘기한적 | 이야기한적 | 이유가뭐였 | 이유가뭐지 | 이유가뭔지 | 이유뭐였 |
     왜그렇게했 | 왜그렇게정 | 왜쓰기로 | 왜안쓰기로 | 왜하기로 | 왜선택했 | 왜바꿨 | 왜뺐 |
     왜버렸 | 우리가왜
5    결정찾아 | 관련결정 | 지난결정 | 이전결정 | 예전결정 | 과거결정 | 결정이력 | 결정목록 |
     결정들보여 | 결정검색 | 결정내용 | 결정사항 | 결정보여 | 기록찾아 | 기록검색 | 메모찾아 |
     메모검색 | 노트찾아 | 노트검색 | 메모있 | 기록있 | 정한거찾 | 정한것찾 | 정했던 | 결정했던 |
     기록보여
4    우리가아는 | 알고있는게 | 아는게뭐 | 에대해뭐알 | 뭘알고있
2    했지? | 했지$ | 했죠? | 했나? | 됐지?
3    논의 | 전에 | 예전에 | 이전에 | 지난번 | 저번에 | 그때 | 과거에 | 옛날에
3    찾아줘 | 찾아봐 | 찾아볼래 | 검색해줘 | 검색해봐 | 조회해줘 | 알려줘
2    어떻게했 | 어떻게해결 | 몇초 | 몇번 | 뭐였 | 정책 | 메모검 | 메모찾 | 기록
-4   검색기록 | 로그기록 | 메모리 | what did you | remember to | remember that | 방금 |
     binary search | search box | search bar | search field | search results | search component |
     search page | recall metric | recall score | precision and recall | remember me | 검색창 |
     검색버튼 | 검색결과 | 자동완성 | 검색단축키 | 검색기능 | 기억하기 | 이전페이지 | 직전에 |
     하기전에
-4   where were we | what were we | what was i | left off | left to do | 어디까지 | 남은일 |
     하던 | 이어서 | mark the | we had to | 롤백했 | 효과가
"""

TRACKING = """
3    seconds now | ms now | minutes now | percent faster | percent slower | x faster |
     times faster | times slower | half as long | in production | on production | live since
5    mark … as failed | mark … as successful | mark … as a success | mark … as a failure |
     mark … as success | mark … as partial | mark … as done | set the outcome |
     record the outcome | the outcome of | outcome was | was a success | was a failure |
     was a mistake | was a bad | was the right | was the wrong | turned out to be | turns out
5    rock solid | lifted … by | raised … by | improved … by | went to zero | was the right thing |
     the right thing | good choice | great choice | good decision | great decision |
     right decision | right choice | went over well | goes over well | went down well |
     was worth it | has paid off | is paying off | keep doing it | happy with the |
     works like a charm | no complaints | no incidents | that worked | it worked | this worked |
     worked great | worked well | worked fine | worked out | worked perfectly | works great now |
     works well now | paid off | went well | went smoothly | went fine | went badly | went wrong |
     users confirm | confirmed working | confirm it works | is live and | good news |
     working fine | working well | works fine | works well | works as expected |
     working as expected | as planned | as hoped | so far so good | saved us | held up |
     has been stable | is stable now | been running | did the trick | users love |
     customers love | players love | everyone loves | people love | great success | huge success |
     good call | looks good in | is deployed and | deployed and looks | solved our | fixed our |
     cut … to zero | have cut | has cut | down to zero | helped a lot | was right | were right |
     is a hit | as expected | solved the problem | solved it | fixed the problem for good
5    blew up | slows us down | slow us down | rule didnt work | too slow for us |
     broke … customers | complained about | bad decision | wrong decision | poor choice |
     a nightmare | a disaster | we undid | we merged … back | customers left | users left |
     because of that decision | because of this decision | ended badly | hurt us | cost us |
     did more harm | bad news | did not survive | didnt survive | abandon it | abandon the |
     we abandoned | gave up on | given up on | kept crashing | keeps crashing |
     too slow … abandon | went back to | moved back to | switched back | reverted to |
     turned out | not worth it | wasnt worth | customers hated | users hated | nobody uses |
     bad call | wrong call | bad idea | flopped | was wrong | were wrong | bad choice |
     wrong choice | did not go as | didnt go as | did not go well | didnt go well | we regret |
     regretting | that didnt work | it didnt work | this didnt work | didnt work out |
     did not work out | didnt pan out | didnt help | did not help | backfired |
     made things worse | made it worse | made it slower | made no difference | fell through |
     that failed | had to roll back | had to revert | we rolled back | we reverted |
     rolled it back | rolled back the | reverted the decision
5    rollout failed | rollout went | rollout worked | deploy failed in | release failed |
     experiment failed | migration failed | experiment worked | migration worked | change worked |
     failed in production | broke in production | worse in production | works in production |
     in production now | caused an outage | caused a regression | caused an incident
4    the migration broke | the rollout broke | the upgrade broke | the change broke |
     the release broke | the deploy broke | the switch broke | the update broke | it broke
4    partly works | partially works | only partly | only partially | partially worked |
     partly worked | only works on | only works in | half works | mostly works | mostly worked |
     still broken
5    superseded | supersede the | supersedes | no longer holds | no longer valid |
     no longer true | no longer applies | replace the decision | replaces the decision |
     overturn | reverse the decision | decision … replace | decision was wrong |
     decision was right
3    since the switch | since we switched | since we moved | since moving | since switching |
     since the change | after the switch | after switching | after moving | moving to … us |
     dropped by | went down by | went up by | down by | up by | improved by | reduced … by |
     weeks now | months now | days now | ^ update :
2    in production | ship it | latency is | is down | twice as fast | faster now | last night |
     outage | so far | for users | the decision | rollout | experiment | switching to
2    failed | worked | works | broke | success | successful | failure
5    올랐어 | 올라갔 | 문제가하나도없 | 문제가없어 | 먹혔 | 게맞았 | 결정이맞았 | 초로줄었 |
     절반으로줄었 | 로빨라졌 | 초로단축 | 로단축 | 성공했 | 성공적 | 성공이야 | 성공이었 |
     성공함 | 배포성공 | 전환성공 | 도입성공 | 실험성공 | 잘됐 | 잘되었 | 잘됨 | 잘되고있 |
     잘돌아가 | 잘동작해 | 잘작동해 | 효과가있 | 효과있었 | 효과가좋 | 결과가좋 | 결과좋 |
     문제없이 | 통했어 | 빨라졌 | 개선됐 | 개선되었 | 나아졌 | 좋아졌 | 안정적이 | 안정됐 |
     반응이좋 | 절약됐 | 절약했 | 아꼈 | 만족해 | 잘지켜 | 반응이아주좋 | 반응좋 | 효과있 |
     없어졌어 | 사라졌어 | 덕분에 | 옳았 | 맞았어 | 잘한결정 | 좋은선택 | 옳은선택 | 잘한선택 |
     해결됐 | 해결되었
5    문제가생겼 | 떨어졌어 | 불만이 | 악몽이었 | 재앙이었 | 떠났어 | 다시합쳤 | 손해였 | 후회돼 |
     포기했 | 포기하고 | 접었어 | 접기로 | 돌아갔 | 되돌아갔 | 반응이안좋 | 반응이나쁘 | 느려졌 |
     더느려 | 불안정해 | 실패야 | 실패다 | 아무도안써 | 아무도안쓰 | 결정이틀렸 | 판단이틀렸 |
     잘못된선택 | 나쁜선택 | 선택이었어 | 후회 | 배포실패 | 도입실패 | 전환실패 |
     마이그레이션실패 | 실험실패 | 롤아웃실패 | 실패였 | 실패로끝 | 실패했어$ | 실패했다$ | 망했 |
     안통했 | 소용없 | 효과가없 | 효과없었 | 더나빠 | 악화됐 | 악화시 | 역효과 | 잘못된결정 |
     결정은잘못 | 결정이잘못 | 잘못됐
5    안됐어 | 안됐다 | 안됐습니다 | 안되더라 | 안먹혔 | 되돌려야 | 되돌렸 | 롤백했 | 롤백해야 |
     원복했
5    절반만 | 반만됐 | 일부만됐 | 일부만성공 | 부분적으로성공 | 부분성공 | 아직문제
5    운영에서 | 프로덕션에서 | 실서버에서 | 라이브에서 | 장애가났 | 장애났 | 장애발생 |
     장애가발생 | 장애로터졌
5    유효하지않 | 더이상맞지 | 이제안맞 | 폐기하고 | 대체하고 | 무효가됐 | 무효로하자 | 대체됐 |
     대체되었 | 폐기됐 | 폐기했 | 뒤집혔 | 뒤집었 | 결과기록 | 결과를기록 | 실패로표시 |
     성공으로표시 | 실패로기록 | 성공으로기록
2    결국 | 알고보니 | 줄었 | 늘었 | 때문이야 | 전환후 | 도입후 | 바꾼후 | 적용후 | 바꾸고나서 |
     바꾼뒤 | 바꾼뒤로 | 옮긴뒤 | 낮춘게 | 올린게 | 바꾼게 | 옮긴건 | 째 | 결정은 | 정책 | 배포 |
     도입 | 전환
-4   but now | 어제는됐는데 | 뭐가잘못 | 무엇이잘못 | 어디가잘못 | tests failed | test failed |
     failing test | failed with | build failed | failing | which ones failed | failed state |
     failed request | failed to compile | when the job fails | success to | success true |
     success false | fix it | debug it | 빌드실패 | 테스트실패 | 테스트가실패 | 실패로그 |
     실패메시지 | 실패한요청 | 성공하면 | 실패하면 | 롤백옵션 | 고쳐줘 | 로그좀
-4   should we | why did we | what did we | have we seen | 찾아줘 | 했더라 | 본적
"""

# What speaks of work on code, so that a phrase above is likely a part of the program.
CODE = """
1    crash | crashes | crashed | investigate | bug | bugs | error | errors | stuck | hangs |
     page | sidebar | title | 죽어 | 버그 | 사이드바 | 메뉴 | 제목 | 페이지 | function |
     functions | method | methods | class | variable | variables | loop | array | string |
     statement | component | button | widget | dropdown | checkbox | css | html | react | regex |
     json | parser | handler | endpoint | import | imports | typeerror | nullpointerexception |
     traceback | exception | stack trace | lint | pytest | unit test | unit tests | test | tests |
     dockerfile | column | query | dataclass | line | lines | implement | refactor | rename |
     fix | debug | format | translate | explain | convert | extract | generate | bump | port |
     sort | ^ add | ^ write | ^ create | ^ make | ^ remove | ^ change | ^ update | ^ use | ^ run |
     let | const | var | null | here | commit | codebase | repo | npm | eslint | prettier |
     ^ set | ^ draw | ^ review | add a | add an | write a | implement a | create a | return |
     returns | quiz | script | 함수 | 변수 | 클래스 | 버튼 | 컴포넌트 | 반복문 | 정규식 | 쿼리 |
     스크립트 | 템플릿 | 코드 | 로그 | 에러 | 오류 | 타입 | 고쳐줘 | 수정해줘 | 작성해줘 |
     구현해줘 | 만들어줘 | 바꿔줘 | 추가해줘 | 설명해줘 | 번역해줘 | 나눠줘 | 옮겨줘 | 넣어줘 |
     올려줘 | 줄여줘 | 써줘 | 최적화해줘 | 리뷰해줘 | 할수있게 | 하게해줘 | 빌드 | 테스트 |
     알고리즘 | 해줘$ | 출력 | 계산 | 그려줘 | 채워줘 | 짜줘 | 테이블 | 파일 | 화면 | 색상 |
     봐줘 | 확인해줘 | 커밋 | 레포 | 레이아웃 | 원인
"""
