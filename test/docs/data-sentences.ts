/** What shows that a sentence holds: tests as `file: words of the title`, or why none shows it. */
export type Shown = readonly string[] | string;

/** Sentences of a page by their first words, each with what shows it. */
export type Sentences = readonly (readonly [words: string, shown: Shown])[];

export const person = "It says what a person does.";
export const leads = "It leads to what follows.";
export const others = "Kubernetes, Pulumi or another program does it.";
export const limit = "It promises nothing.";

/** A test of a file by words of its title. */
export const of = (file: string) => (words: string) => `test/${file}.test.ts: ${words}`;

const page = of("docs/data-page");
const changes = of("safety/data-changes");
const lifecycle = of("e2e/lifecycle");
const first = of("e2e/first-update");
const lostCluster = of("safety/lost-cluster");
const lostState = of("safety/lost-state");
const destroyed = of("safety/destroy");
const destroy = of("cli/destroy/destroy");
const secrets = of("safety/secrets");
const upgrade = of("e2e/upgrade");
const crash = of("safety/crash-matrix");
const created = of("components/core/create.graph");
const suite = of("components/cloudsuite/changes");
const database = of("components/stores/database/changes");
const databasePlan = of("components/stores/database/plan");
const store = of("components/stores/object-storage/object-storage");
const refusals = of("components/core/data-safety/refusals");
const hook = of("components/core/data-safety/destroy-hook");
const leftOut = of("stack/state/left-out");
const several = of("stack/state/changes");
const cluster = of("stack/state/cluster-identity");
const lookedAt = of("stack/live/preflight/checks");
const data = of("stack/live/preflight/data");
const taken = of("stack/live/preflight/taken");
const unknown = of("stack/live/preflight/lost-state");
const adopt = of("cli/heal/adopt");
const unnoted = of("cli/heal/unnoted");
const locks = of("cli/heal/locks");
const tables = of("e2e/setting-tables")("the engine refuses what the tables say");

/** The sentences of docs/explanation/data.md. */
export const dataSentences: Sentences = [
  [
    "A change of code or settings never deletes data.",
    [changes("an update is refused before anything goes"), upgrade("without a new object that holds data")],
  ],
  ["Three mechanisms prevent it", leads],

  // What is protected
  ["Cluster, with its volumes |", [page("has every object that holds data")]],
  ["PersistentVolumeClaim | the keystore's data", [page("has every object that holds data")]],
  ["PersistentVolumeClaim | web files", [page("has every object that holds data")]],
  ["PersistentVolumeClaim | the repositories", [page("has every object that holds data")]],
  ["Bucket |", [created("ObjectStorage: buckets are protected")]],
  ["Namespace |", [page("has every object that holds data")]],
  [
    "Secret that was generated",
    [page("has every object that holds data"), created("that may never change is protected")],
  ],
  ["**Protected**:", leads],
  ["Pulumi refuses to delete or replace", [changes("is replaced by no option"), changes("destroy of a single thing")]],
  [
    "While any of them other than a bucket",
    [lifecycle("refuses to be destroyed while it holds data"), hook("whose name says how to let it go")],
  ],
  ["`destroy --target` stops too", [changes("destroy of a single thing")]],
  ["Pulumi's last line then proposes", [changes("destroy of a single thing")]],
  ["Don't use it: with `--skip-preview`", [destroyed("with its program deletes what holds no data, and stops")]],
  ["`pulumi up` makes them again.", [destroyed("an update brings the platform back on the data")]],
  ["If an earlier release wrote the state", [hook("whose name says how to let it go")]],
  ["**Retained**:", [created("that hold data are protected and kept")]],
  ["Use storage classes", person],
  [
    "Retain`, so that",
    [lookedAt("whose volumes go with their claims is told"), lostCluster("a lost volume that is reserved")],
  ],
  [
    "Buckets keep former versions",
    [
      page("of every bucket but those of backups, caches and scratch space"),
      store("keep former versions for 30 days"),
      of("e2e/former-versions")("a bucket comes back as it was"),
    ],
  ],
  [
    "Backups, caches and scratch space have none.",
    [page("of every bucket but those of backups, caches and scratch space")],
  ],
  ["A bucket that is not empty", [of("e2e/plugins")("do not delete a bucket that holds objects")]],
  ["Former versions, and the backups", [databasePlan("go to the bucket with the write-ahead log")]],
  [
    "`hearth:copies` keeps",
    [
      of("stack/areas/copies")("every bucket of a stack is copied but caches and scratch space"),
      of("e2e/copies")("nothing is copied into a bucket without versions"),
    ],
  ],
  ["Without it there is one copy", limit],

  // What is refused at preview
  [
    "a smaller volume of database",
    [suite("a smaller volume"), database("of %s is refused unless %s may be lost"), tables],
  ],
  [
    "an older version of database",
    [suite("which is or may be older"), database("of %s is refused unless %s may be lost"), tables],
  ],
  [
    "another namespace, database or cluster name",
    [suite("another namespace"), database("of %s is refused unless %s may be lost"), tables],
  ],
  [
    "another storage class",
    [suite("another storage class"), database("of %s is refused unless %s may be lost"), tables],
  ],
  ["another endpoint, region or bucket", [store("which leaves the objects behind"), suite("another data bucket")]],
  ["another cluster without a recovery", [database("of %s is refused unless %s may be lost")]],
  ["another time or source for a recovery", [database("is refused as %s")]],
  ["a suite's version more than one major up", [suite("no major is left out, and nothing unlocks that")]],
  [
    "a new database while its archive",
    [data("is not begun anew beside its archive"), data("beside objects that only it knows")],
  ],
  ["a new volume of the git store", [data("is not begun anew beside objects of its database")]],
  ["One message lists every change", [several("are refused in one message")]],
  ["It names the setting with its component", [page("a refused change"), refusals("prints the one unlock")]],
  ["A database moves to another storage class", [database("to %s loses nothing"), tables]],
  ["The former cluster keeps its class", [databasePlan("keeps the old cluster as it was until it is let go"), tables]],
  [
    "Removing objects that hold data",
    [leftOut("is told in one message with every name to unlock"), first("is followed by a removal")],
  ],
  ["One message lists all names", [page("objects that the settings leave out")]],
  ["If a rename by mistake", [leftOut("as after a rename by mistake")]],
  ["It unlocks nothing", [leftOut("as after a rename by mistake")]],
  ["To keep a bucket", [leftOut("is not a bucket that was taken out of the state to be kept")]],
  ["`pulumi state delete URN --force`.", [leftOut("is not a bucket that was taken out of the state to be kept")]],
  ["The bucket does not change.", others],

  // Correct a first update that failed
  ["Objects that were never made", [several("what was never made can be changed")]],
  [
    "After a first `up` that failed",
    [first("that failed at a bucket of others goes on"), suite("lets them have other names")],
  ],
  ["Objects in the state count as made", [leftOut("is told by names, with the namespaces")]],
  ["Their changes are refused as above", [suite("lets them have other names")]],
  ["Two cases look worse", leads],
  ["**A tag that does not exist.**", leads],
  ["The version counts", [suite("before the suite ran lets the version go back")]],
  ["Set the line that the refusal prints", [suite("each refusal names what unlocks it")]],
  ["The update changes neither volumes", [page("goes back to an older tag with the line that unlocks it")]],
  ["**`destroy` of a stack that failed early.**", leads],
  ["`destroy` is refused even if", [hook("whose name says how to let it go")]],
  ["Set the line that `destroy` prints.", [first("that failed at a bucket of others goes on")]],
  ["Run `up`: it records the line", [first("that failed at a bucket of others goes on")]],
  ["Then run `destroy`.", person],
  ["The program reads the state", [secrets("no secret stands in %s")]],
  ["If it can't read the state", [changes("can't compare with the state is refused by the component")]],

  // Allow a loss of data
  ["This setting is the only way", [destroy("which settings alone can say"), hook("whose name says how to let it go")]],
  ["Each refusal prints the line", [refusals("prints the one unlock, which works")]],
  [
    "Write an object as `namespace/name`",
    [suite("is of one suite, not of all in the stack"), created("is unlocked by itself alone")],
  ],
  ["Write a namespace or a bucket", [first("is followed by a removal")]],
  ["A name without its namespace", [of("stack/stack-settings")("refuse to unlock what several suites could have")]],
  ["The setting does two things", leads],
  [
    "Changes of them are no longer refused",
    [suite("each refusal names what unlocks it"), created("unless the stack says that theirs may be lost")],
  ],
  ["Afterwards remove the name", [created("that hold data are protected and kept")]],

  // Recover a database to a point in time
  ["The time is UTC", [database("takes the target time %s as %s")]],
  ["The preview shows the instant", [database("shows at the preview the instant")]],
  [
    "`up` then makes the cluster",
    [
      databasePlan("is named by its instant"),
      databasePlan("turns the pooler to it"),
      of("e2e/database-controllers")("a recovery makes a cluster from the archive"),
    ],
  ],
  ["The old cluster stays beside it", [databasePlan("keeps the old cluster as it was until it is let go")]],
  ["For the database of forge and hub", [database("to %s loses nothing"), data("may be recovered beside its archive")]],
  ["**Files in the object store", [database("and what does not go back")]],
  ["Keep `recover` set.", [database("stays set afterwards")]],
  ["Without it the program would leave", [database("of %s is refused unless %s may be lost")]],
  ["`suffix` sets another name", [databasePlan("is named by its instant where it has no suffix")]],
  ["To try another time", [database("of %s is refused unless %s may be lost")]],
  ["Then change `targetTime`", [page("is tried again at another time from the same backups")]],
  ["It makes a new cluster", [page("is tried again at another time from the same backups")]],
  ["Without the first step", [database("is refused as %s")]],
  ["Do not change the major", [database("is refused as %s")]],
  ["To remove the old cluster", [databasePlan("keeps the old cluster as it was until it is let go")]],
  [
    "In a new stack of which only",
    [database("of a database that is new here reads backups"), lostCluster("the rows from before the loss")],
  ],
  [
    "Whether a recovery would work",
    [
      of("safety/drill")("a good archive passes"),
      of("cli/drill/drill")("each database is drilled as its schedule does"),
    ],
  ],

  // When a database is gone
  [
    "A database is gone if",
    [
      lifecycle("does not begin a database anew"),
      changes("whose namespace was deleted by hand"),
      lostCluster("with the former settings the new cluster is refused"),
    ],
  ],
  ["An update would then make", leads],
  [
    "Previews, updates, the gate",
    [of("e2e/doctor")("whose buckets hold an archive"), lifecycle("does not begin a database anew")],
  ],
  ["If one does not exist", [data("is not begun anew beside its archive")]],
  ["If the keys don't open", [data("is told what can't be seen with the keys at hand, and not refused")]],
  ["**To continue with the old data**", [data("with both ways on")]],
  ["Then set `recover` with", [data("may be recovered beside its archive")]],
  ["**To start empty**", [data("with both ways on")]],
  ["If data buckets hold objects", [data("beside objects that only it knows, unless its loss is allowed")]],
  ["If the whole cluster is lost", [lostCluster("the page brings back")]],

  // When a volume is gone
  ["A lost claim of the git store", [data("is not begun anew beside objects of its database")]],
  ["Its volume is mostly still there", [lookedAt("whose volumes go with their claims is told")]],
  ["Kubernetes gives a volume back", [lostCluster("a lost volume that is reserved")]],
  ["Do the same with a volume", others],
  ["Find the volume.", person],
  ["`Released` was bound", others],
  ["Have it kept whatever", [lostCluster("a lost volume that is reserved")]],
  ["It is `Available` now.", others],
  ["Run `pulumi refresh`, so that the state forgets the lost claim", [lostCluster("a lost volume that is reserved")]],
  [
    "It makes the claim",
    [lostCluster("a lost volume that is reserved"), data("gets the volume that is reserved for it")],
  ],
  ["If a restore tool made the claim", [taken("is told how a volume that was restored")]],
  ["Stop the pods that use it", person],
  ["Then delete the claim", others],
  ["Go on with the second command", person],
  ["If the data may be lost, name the claim", [data("unless its loss is allowed")]],

  // When the state is lost
  [
    "If a namespace of the stack holds",
    [unknown("is not begun anew by a stack with an empty state"), changes("with its state lost")],
  ],
  ["The same holds for a state", [unknown("is told of even where it holds no data")]],
  ["Either the state is lost", [unknown("is not begun anew by a second stack")]],
  ["**Leave every object in place**", person],
  ["[Keep the state safe]", person],
  [
    "If there is none, or a copy is older",
    [lostState("takes in the whole platform"), lostState("takes in what the copy does not know")],
  ],
  ["Generated values are read", [of("cli/heal/lost-state")("takes generated values from their Secrets")]],
  [
    "A first update that was interrupted",
    [unknown("may have made namespaces that it could not record"), crash("a first update interrupted four times")],
  ],

  // Another cluster under the same name
  ["A state belongs to one cluster.", leads],
  ["`up` records the UID", [lifecycle("refuses another cluster under the same name")]],
  ["If a context of the same name", [lifecycle("refuses another cluster under the same name")]],
  ["**You have the wrong kubeconfig", person],
  ["**You have rebuilt the cluster**", person],
  ["[bring the platform back](../how-to/lost-cluster.md).", person],
  ["Set `hearth:kubernetes.identity`", [lifecycle("unless the settings accept it")]],
  ["Run `pulumi refresh`, so that the state forgets the lost objects.", [lostCluster("the page brings back")]],
  ["Set `recover` to bring", [lostCluster("the rows from before the loss")]],
  ["You can keep the setting", [cluster("%s is taken")]],
  ["The name of the context", [lifecycle("takes a renamed context")]],
  ["After a rename, change", [lifecycle("takes a renamed context")]],
  ["Run `up` before the next", [destroy("deletes nothing %s")]],
  ["If the cluster can't be seen under", [cluster("refuses a context of another name")]],
  [
    "A stack without databases and suites",
    [cluster("the cluster is recorded by components that hold data"), cluster("takes a context of another name")],
  ],

  // Raise the major of PostgreSQL
  ["`hearth:database.version`, or", [database("of %s is refused unless %s may be lost")]],
  ["The operator stops the database", [database("a newer major shows at the preview")]],
  ["Make a backup of everything", person],
  ["**recovery can't cross a major**", [database("is refused as %s"), database("and that its backups begin anew")]],
  ["The archives of 17 and 18", [databasePlan("have an archive of their own")]],
  ["Up to 16 all majors", [databasePlan("have an archive of their own")]],
  ["Set the major and run `up`.", [database("to %s loses nothing")]],
  ["If the upgrade fails", others],
  ["Update the extensions", person],
  ["The first command shows", others],
  ["Make a base backup at once", person],

  // Keep secrets out of logs
  ["Passwords are secrets", [secrets("no secret stands in the state, its history"), secrets("no secret stands in %s")]],
  ["There is one exception", [secrets("but in Pulumi's debug lines")]],
  ["They are in the events", [secrets("but in Pulumi's debug lines")]],
  ["So never keep or upload", person],
  [
    "Keep the plain output",
    [secrets("no secret stands in %s"), of("cli/gate/gate")("nothing is shown of a Secret but its paths")],
  ],

  // Secrets in old states
  ["Earlier versions made six values", [upgrade("is refused while values stand in its state in plain text")]],
  ["The official plugin records", [of("cli/heal/plain-values")("recorded as the official provider records one")]],
  [
    "So they stand in plain text",
    [
      of("components/core/data-safety/plain-values")("a state with values in plain text is refused"),
      upgrade("is refused while values stand in its state in plain text"),
    ],
  ],
  ["Heal rewrites the state", [of("cli/heal/rewrite")("rewrites values that stand in plain text")]],
  ["The values stay the same", [upgrade("heal encrypts the same values")]],
  ["Copies of the old state", person],
  ["Delete copies that you don't need", person],
  ["If others could read one", leads],
  [
    "`forge-webservice-proxy-secret`, `forge-pages-secret` |",
    [page("raised revisions of both make new values and roll the pods")],
  ],
  ["`secret_key_base` |", [page("no revision makes the keys of Rails anew")]],
  ["`db_key_base` |", [page("no revision makes the keys of Rails anew")]],
  ["`otp_key_base` |", [page("no revision makes the keys of Rails anew")]],
  ["`encrypted_settings_key_base` |", [page("no revision makes the keys of Rails anew")]],
  ["All four keys", [page("no revision makes the keys of Rails anew")]],
  ["Never delete this Secret", person],

  // Heal a stack whose update was killed
  ["`up` records an object once", leads],
  ["If it, or a provider plugin", [crash("a first update interrupted four times")]],
  ["The next preview names them", [of("stack/state/interrupted")("names what it may have made, and heal")]],
  ["**adopt**:", [adopt("takes in what is there as it was sent")]],
  ["Heal adds it to the state", [unnoted("takes in a Secret with its values")]],
  ["**forget**:", [adopt("forgets what was not made")]],
  ["The next `up` makes what", [of("cli/heal/replaced")("has an object made anew whose delete ended")]],
  ["**leave**:", [adopt("names it, and ends with 1")]],
  ["Heal names it and never", [adopt("names it, and ends with 1")]],
  ["Leave it in place", person],
  ["Find out whose it is", person],
  ["Heal changes only the state", [lostState("killed at ten points"), changes("heal adopts nothing")]],
  ["`--yes` skips the question, for", [of("cli/heal/heal")("without a terminal wants --yes")]],
  ["`--sandbox` heals", [changes("heal adopts nothing"), of("e2e/sandbox")("is healed by start after a kill -9")]],
  ["Then run `up` again.", person],
  ["Pulumi also forgets", [crash("a first update interrupted four times")]],
  ["The next preview looks for objects", [taken("is refused in one message that names heal")]],
  ["So after an `up` that failed", [unnoted("takes in what the next update would create")]],
  ["It adopts an object only if", [unnoted("before such an update, and leaves it")]],
  ["The others it names", [unnoted("names what is there otherwise")]],
  ["For that preview heal writes", [unnoted("takes in a Secret with its values, and shows none")]],
  [
    "Heal releases a lock",
    [locks("the lock of a process that has ended"), locks("the lock of another machine's process stays")],
  ],
  ["With another backend use", [of("cli/heal/file-backend")("a backend without locks is left alone")]],

  // Destroy a stack and keep its data
  [
    "It deletes everything but",
    [destroy("deletes all but what holds data"), destroyed("leaves what holds data and nothing else")],
  ],
  ["That stays in the cluster", [destroyed("an update brings the platform back on the data")]],
  ["Passwords of databases and keystores", [destroyed("an update brings the platform back on the data")]],
  [
    "If it is interrupted, run it",
    [destroyed("killed half-way and run again"), destroy("run again deletes what is left")],
  ],
  [
    "`--yes` skips the question and",
    [destroy("which settings alone can say"), destroyed("leaves what holds data and nothing else")],
  ],
  ["It refuses another cluster", [destroy("deletes nothing %s")]],
  [
    "Until the next `up`, the state",
    [destroy("deletes all but what holds data"), destroyed("Pulumi's own destroy still deletes no data")],
  ],

  // Destroy a stack for good
  ["In the sandbox, `./hearth", [of("e2e/sandbox")("leaves nothing behind when it is reset")]],
  ["On a cluster, here for", leads],
  ["Save what you may need", person],
  ["Name everything that is protected", [page("names everything that is protected of stack dev's suite")]],
  ["Run `pulumi up`.", person],
  ["The preview shows only", [first("is followed by a removal")]],
  ["Empty the buckets", person],
  ["Run `./hearth destroy", person],
  ["It must show no line", [destroy("which settings alone can say")]],
  ["If a bucket was not empty", [of("e2e/plugins")("do not delete a bucket that holds objects")]],
  ["Run `kubectl get pv`", others],
  ["Delete each with", person],
  ["Run `pulumi stack rm", person],
  ["Without the option Pulumi", others],
  ["Remove `hearth:allowDataLoss`", person],
  ["If a name is missing in step 2", [destroy("deletes all but what holds data")]],
  ["Nothing is lost by that.", [destroyed("leaves what holds data and nothing else")]],
];
