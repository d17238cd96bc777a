"""Which types and fields of GitHub's GraphQL schema the server serves. A query for others is a test failure."""

_ACTOR = "login url avatarUrl resourcePath"
_PAGE = "nodes pageInfo totalCount edges"
_CHANGED_PULL = "clientMutationId pullRequest"

_WORDS = {
    "Query": "id node rateLimit repository viewer",
    "Mutation": """addComment addLabelsToLabelable addReaction closePullRequest convertPullRequestToDraft
        disablePullRequestAutoMerge enablePullRequestAutoMerge markPullRequestReadyForReview mergePullRequest
        reopenPullRequest updateIssueComment updatePullRequest""",
    "Node": "id",
    "Actor": _ACTOR,
    "User": f"{_ACTOR} id databaseId",
    "Bot": f"{_ACTOR} id databaseId",
    "Organization": f"{_ACTOR} id databaseId",
    "RepositoryOwner": f"{_ACTOR} id",
    "Team": "id slug name",
    "App": "id databaseId slug name",
    "RateLimit": "cost limit remaining used resetAt nodeCount",
    "PageInfo": "endCursor hasNextPage hasPreviousPage startCursor",
    "Repository": """id databaseId name nameWithOwner owner url isArchived isFork isPrivate defaultBranchRef
        mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed autoMergeAllowed deleteBranchOnMerge
        viewerPermission object pullRequest pullRequests ref label""",
    "Ref": "id name prefix target branchProtectionRule",
    "BranchProtectionRule": """id pattern requiresStatusChecks requiresStrictStatusChecks
        requiredStatusCheckContexts requiredStatusChecks
        requiredApprovingReviewCount requiresLinearHistory isAdminEnforced
        requiresCommitSignatures requiresCodeOwnerReviews""",
    "RequiredStatusCheckDescription": "context app",
    "GitObject": "id oid",
    "Commit": """id oid abbreviatedOid message messageHeadline committedDate authoredDate author committer url
        statusCheckRollup checkSuites parents associatedPullRequests""",
    "CommitConnection": _PAGE,
    "CommitEdge": "cursor node",
    "GitActor": "name email date",
    "StatusCheckRollup": "id state contexts commit",
    "StatusCheckRollupContextConnection": f"{_PAGE} checkRunCount statusContextCount",
    "StatusCheckRollupContextEdge": "cursor node",
    "RequirableByPullRequest": "isRequired",
    "CheckRun": """id databaseId name status conclusion startedAt completedAt detailsUrl externalId url title
        summary text isRequired checkSuite annotations""",
    "CheckRunConnection": _PAGE,
    "CheckRunEdge": "cursor node",
    "CheckAnnotationConnection": _PAGE,
    "CheckAnnotationEdge": "cursor node",
    "CheckAnnotation": "path message title rawDetails annotationLevel",
    "CheckSuite": """id databaseId app status conclusion createdAt updatedAt url workflowRun checkRuns branch
        commit""",
    "CheckSuiteConnection": _PAGE,
    "CheckSuiteEdge": "cursor node",
    "WorkflowRun": "id databaseId event runNumber createdAt updatedAt url workflow checkSuite",
    "Workflow": "id databaseId name url",
    "StatusContext": "id context state description targetUrl createdAt creator isRequired avatarUrl",
    "PullRequest": """id databaseId number title body url state isDraft closed closedAt merged mergedAt mergedBy
        createdAt updatedAt author authorAssociation baseRefName baseRefOid headRefName headRefOid
        isCrossRepository
        headRepository headRepositoryOwner headRef baseRef mergeable mergeStateStatus mergeCommit autoMergeRequest
        reviewDecision additions deletions changedFiles labels comments commits reviews reviewRequests
        statusCheckRollup repository isInMergeQueue isMergeQueueEnabled locked maintainerCanModify""",
    "PullRequestConnection": _PAGE,
    "PullRequestEdge": "cursor node",
    "PullRequestCommitConnection": _PAGE,
    "PullRequestCommitEdge": "cursor node",
    "PullRequestCommit": "id commit pullRequest url",
    "AutoMergeRequest": "enabledAt enabledBy mergeMethod commitHeadline commitBody",
    "Labelable": "labels",
    "Label": "id name color description",
    "LabelConnection": _PAGE,
    "LabelEdge": "cursor node",
    "IssueComment": "id databaseId body author authorAssociation createdAt updatedAt url reactions pullRequest",
    "IssueCommentConnection": _PAGE,
    "IssueCommentEdge": "cursor node",
    "Reactable": "id",
    "Reaction": "id databaseId content createdAt user",
    "ReactionConnection": _PAGE,
    "ReactionEdge": "cursor node",
    "PullRequestReview": "id databaseId state body author submittedAt commit url authorAssociation",
    "PullRequestReviewConnection": _PAGE,
    "PullRequestReviewEdge": "cursor node",
    "ReviewRequest": "id requestedReviewer",
    "ReviewRequestConnection": _PAGE,
    "ReviewRequestEdge": "cursor node",
    "AddCommentPayload": "clientMutationId commentEdge subject",
    "AddLabelsToLabelablePayload": "clientMutationId labelable",
    "AddReactionPayload": "clientMutationId reaction subject",
    "ClosePullRequestPayload": _CHANGED_PULL,
    "ConvertPullRequestToDraftPayload": _CHANGED_PULL,
    "DisablePullRequestAutoMergePayload": f"{_CHANGED_PULL} actor",
    "EnablePullRequestAutoMergePayload": f"{_CHANGED_PULL} actor",
    "MarkPullRequestReadyForReviewPayload": _CHANGED_PULL,
    "MergePullRequestPayload": f"{_CHANGED_PULL} actor",
    "ReopenPullRequestPayload": _CHANGED_PULL,
    "UpdateIssueCommentPayload": "clientMutationId issueComment",
    "UpdatePullRequestPayload": f"{_CHANGED_PULL} actor",
}

FIELDS: dict[str, frozenset[str]] = {name: frozenset(words.split()) for name, words in _WORDS.items()}
"""The served fields of each type; enumerations, scalars, inputs and unions that they name come along whole."""
