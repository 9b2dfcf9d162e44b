/** Words of `RandomPet` names: fewer than the official provider's, so these names repeat sooner. */
export const adverbs =
  "barely boldly briefly calmly clearly early evenly fairly firmly freely fully gently gladly greatly highly humbly jointly kindly largely lightly loudly mainly mildly mostly neatly nicely openly partly plainly purely quickly quietly rarely readily safely simply slowly solely steadily strongly surely truly vastly warmly widely wisely".split(
    " ",
  );
export const adjectives =
  "able active agile amber apt awake blue bold brave bright calm careful cheerful clean clear clever cool crisp curious dear deep eager easy fair faithful famous fine firm fond fresh gentle glad golden good grand great green happy hardy honest humble jolly keen kind large light lively loyal lucky mellow merry mild neat nimble noble patient plain pleasant polite proud quick quiet rapid ready robust sharp silver simple smart smooth steady still strong sunny swift tidy trusty warm wise witty".split(
    " ",
  );
export const animals =
  "ant badger bat bear beaver bee bison boar buck buffalo camel cat cobra cod condor cow crab crane cricket crow deer dingo dog dolphin dove duck eagle eel elk ermine falcon fawn ferret finch fish fox frog gecko gibbon goat goose gopher grouse gull hare hawk hen heron horse ibex jackal jay kite kiwi koala lamb lark lemur lion lizard llama lynx mole moose moth mouse mule newt otter owl ox panda perch pig pony puffin puma quail rabbit ram raven robin salmon seal shark sheep shrew shrimp skunk sloth snail snake spider squid stork swan tapir tiger toad trout turkey turtle viper walrus wasp whale wolf wombat wren yak zebra".split(
    " ",
  );
