import PushBridgeCore

// The issues that results report, each with a code and a message.

extension MigrationIssue {
    // The following issues concern the destination's record, its ledger entry, or an earlier record of the source.
    static let otherSecret = Self(.otherSecret, "The destination holds another secret under this id.")
    static let otherEndpoints = Self(.otherEndpoints, "The destination holds other endpoints under this id.")
    static let otherCodes = Self(
        .otherCodes,
        "The destination's credential with this id makes different one-time passwords."
    )
    static let otherPush = Self(.otherPush, "The destination holds another push under this id.")
    static let olderToken = Self(.otherDeviceToken, "The destination holds an older device token.")
    static let otherAccount = Self(.otherAccount, "The destination's account has different details.")
    static let repeatedId = Self(
        .repeatedId,
        "An earlier record of the source has this id and different content."
    )
    static let unreadableDestination = Self(
        .unreadableDestination,
        "The destination's record with this id cannot be read."
    )

    static let refusedDestination = Self(
        .refused,
        "The destination refuses to return the record with this id, or its account."
    )

    static let unreadableEntry = Self(
        .unreadableDestination,
        "The destination has the record, but the record's ledger entry cannot be read, because the entry was changed."
    )

    // The following issues belong to the outcome `kept`.
    static let keptAccount = Self(
        .otherAccount,
        "The destination has this account with different details; the record is kept verbatim."
    )
    static let keptNotification = Self(
        .noCredential,
        "No credential belongs to this notification; the record is kept verbatim."
    )
    static let accountAlone = Self(
        .noCredential,
        "No credential belongs to this account; the account is kept."
    )

    // The following issues mean that a proof failed.
    static let absent = Self(.notReadBack, "The destination does not have this record.")
    static let keptOtherwise = Self(.notReadBack, "The kept record differs from the source.")
    static let unanswered = Self(.notReadBack, "The stored notification does not contain the answer.")
    static let answersOtherwise = Self(
        .notReadBack,
        "The stored credential answers a challenge differently."
    )
    static let signsOtherwise = Self(.notReadBack, "The stored credential signs differently.")
    static let keepsOtherSecret = Self(.otherSecret, "The stored credential has another secret.")
    static let counterBehind = Self(.notReadBack, "The stored counter is lower than the source's counter.")
    static let otherType = Self(.notReadBack, "The stored credential is of another type.")
    static let makesOtherCodes = Self(
        .otherCodes,
        "The stored credential makes different one-time passwords from the source's."
    )
    static let talksElsewhere = Self(.otherEndpoints, "The stored credential uses other endpoints.")
    static let cannotSign = Self(.unusableSource, "The source's secret cannot sign.")
    static let invalidAddresses = Self(.unusableSource, "The source's addresses are invalid.")
    static let makesNoCodes = Self(.unusableSource, "The source's one-time password cannot be computed.")
}
