import PingAMSimulator

// The known responses of each version. Outcomes use the words of ``Answer/words``.

// MARK: - Requests without a device

extension ConformanceCheck {
    static let noMessage = ConformanceCheck("a request that names no message", always: ["400"])
    static let unknownMessage = ConformanceCheck("an answer to an unknown message", always: ["400"])
    static let noKind = ConformanceCheck("a message without a kind", always: .uncaught)
    static let otherVersion = ConformanceCheck("another version of the API", always: ["404"])
    static let unknownAction = ConformanceCheck(
        "an unknown action",
        always: [
            "501 not supported", Outcome("400 not supported", if: .badActions),
            Outcome("400", if: .badActions),
        ]
    )
    static let otherRealm = ConformanceCheck(
        "a realm without a push service",
        always: [Outcome(noServiceWords)]
    )
    /// The response of a realm without a push service to every message.
    static let noServiceWords = "404 no push service"

    /// Returns the check of a request without a version.
    ///
    /// `words` is the response to the same request with a version.
    static func noVersion(_ words: String) -> ConformanceCheck {
        ConformanceCheck(
            "no version of the API",
            always: [Outcome(words), Outcome("400", if: .demandedVersion)]
        )
    }

    /// Returns the check of a request whose content type is not JSON.
    ///
    /// `words` is the response to the same request with JSON.
    static func otherContent(_ words: String) -> ConformanceCheck {
        ConformanceCheck(
            "a content type other than JSON",
            always: [
                Outcome(words), Outcome("415", if: .demandedContentType),
                Outcome("400", if: .demandedContentType),
            ]
        )
    }
}

// MARK: - Enrolment

extension ConformanceCheck {
    static let enrolForeign = ConformanceCheck("an enrolment signed with another secret", always: ["400"])
    static let enrolWrong = ConformanceCheck("an enrolment with a wrong response", always: ["400"])
    static let enrolURLSafe = ConformanceCheck("an enrolment whose response is in base64url", always: ["400"])
    static let enrolment = ConformanceCheck("the enrolment", always: ["200"])
    static let enrolTwice = ConformanceCheck("the repeated enrolment", always: ["400"])
}

// MARK: - Token updates

extension ConformanceCheck {
    /// Returns the check of a token update.
    ///
    /// Servers before 8.0.1 respond to a token update as to any unknown action.
    private static func update(_ name: String, _ unknown: String, _ outcomes: [Outcome]) -> ConformanceCheck {
        ConformanceCheck("a token update \(name)") {
            $0.version.takesNewTokens ? outcomes : [Outcome(unknown)]
        }
    }

    static func updateWithoutUser(_ unknown: String) -> ConformanceCheck {
        update("without a user", unknown, ["400"])
    }
    static func updateWithoutMechanism(_ unknown: String) -> ConformanceCheck {
        update("without a mechanism", unknown, ["400"])
    }
    static func updateForUnknownUser(_ unknown: String) -> ConformanceCheck {
        update("for a user who has no device", unknown, ["400", Outcome("500", if: .uncaughtUsers)])
    }
    /// Returns the check of an update of the enrolled device.
    ///
    /// Codes of modules do not contain the user's name, so the server may refuse the update. If unknown
    /// actions also get 400, this response may mean that the action is unknown, or that the device has not been
    /// stored yet.
    static func updateOfDevice(_ unknown: String, namesUser: Bool) -> ConformanceCheck {
        update("of the new device", unknown, namesUser && unknown != "400" ? ["200"] : ["200", "400"])
    }
    static func updateForeign(_ unknown: String) -> ConformanceCheck {
        update("signed with another secret", unknown, ["400"])
    }
    static func updateWithoutToken(_ unknown: String) -> ConformanceCheck {
        update("without jwt", unknown, .uncaught)
    }
    static func updateWithGarbage(_ unknown: String) -> ConformanceCheck {
        update("whose jwt is none", unknown, .uncaught)
    }
    static func updateWithoutWay(_ unknown: String) -> ConformanceCheck {
        update("without communicationType", unknown, .uncaught)
    }
    static func updateWithoutDevice(_ unknown: String) -> ConformanceCheck {
        update("without deviceId", unknown, ["400", Outcome("500", if: .uncaughtTokens)])
    }
    static func updateWithoutType(_ unknown: String) -> ConformanceCheck {
        update("without deviceType", unknown, .uncaught + [Outcome("200", if: .blankProfiles)])
    }
}

// MARK: - Answers to pushes

extension ConformanceCheck {
    static let foreign = ConformanceCheck("an approval signed with another secret", always: ["400"])
    static let wrongResponse = ConformanceCheck("an approval with a wrong response", always: ["400"])
    static let urlSafe = ConformanceCheck("an approval whose response is in base64url", always: ["400"])
    static let noToken = ConformanceCheck("an approval without jwt", always: .uncaught)
    static let garbage = ConformanceCheck("an approval whose jwt is none", always: .uncaught)
    static let noResponse = ConformanceCheck("an approval without a response", always: .uncaught)
    static let approval = ConformanceCheck("an approval", always: ["200"])
    static let denial = ConformanceCheck("a denial", always: ["200"])
    static let biometric = ConformanceCheck("an approval of a biometric push", always: ["200"])
    static let noNumber = ConformanceCheck("an approval of a challenge without a number", always: ["200"])
    static let noCookie = ConformanceCheck("an approval without the load balancer's cookie", always: ["200"])
    static let approvalWithoutVersion = ConformanceCheck(
        "an approval that names no version of the API",
        always: ["200", Outcome("400", if: .demandedVersion)]
    )
    static let approvalOfOtherContent = ConformanceCheck(
        "an approval with another content type",
        always: [
            "200", Outcome("415", if: .demandedContentType), Outcome("400", if: .demandedContentType),
        ]
    )
    static let late = ConformanceCheck(
        "an answer after the message has expired",
        always: ["400", Outcome("200", if: .lateAnswers)]
    )
    static let orphan = ConformanceCheck(
        "an answer after the device's profile was removed",
        always: ["200", Outcome("400", if: .orphanedPushes)]
    )

    /// Returns the check of a second answer.
    ///
    /// Modules consume the message with the first answer. Nodes store the message until the login page polls. If
    /// `pageHasNotLooked` is `false`, the page may already have polled.
    static func second(pageHasNotLooked: Bool) -> ConformanceCheck {
        ConformanceCheck("the repeated approval, at once") { candidate in
            if candidate.pushes == .module { return ["400"] }
            return pageHasNotLooked ? ["200"] : ["200", "400"]
        }
    }
    /// Returns the check of a repeated approval; `pageHasLooked` states that the login page has certainly polled.
    static func third(pageHasLooked: Bool) -> ConformanceCheck {
        ConformanceCheck("the repeated approval, after the login page has polled") { candidate in
            let revived = Outcome("200", if: pageHasLooked ? .revivedMessages : nil)
            return candidate.pushes == .node ? ["400", revived] : ["400"]
        }
    }

    /// An approval of a challenge with a value that is not a number.
    static let noNumeral = ConformanceCheck("an approval of a challenge with text instead of a number") {
        candidate in
        candidate.hasRichPushes ? .uncaught : ["200"]
    }
    static let wrongNumber = ConformanceCheck("an approval of a challenge with a wrong number") { candidate in
        candidate.hasRichPushes && candidate.version.refusesWrongNumbers ? ["400"] : ["200"]
    }
    /// An approval after a wrong number.
    ///
    /// A server accepts another answer only if it refused the wrong number.
    static let afterWrongNumber = ConformanceCheck("an approval after the wrong number") { candidate in
        guard candidate.hasRichPushes, candidate.version.refusesWrongNumbers else { return [] }
        return ["200", Outcome("400", if: .wrongNumberConsumes)]
    }

    /// Returns the check of the state that a login page shows after an answer.
    static func login(after answer: String, shows state: String) -> ConformanceCheck {
        ConformanceCheck("the login after \(answer)", always: [Outcome(state)])
    }
    /// The login page after a refused wrong number and an accepted right number.
    static let loginAfterWrongNumber = ConformanceCheck(
        "the login after a wrong number and a right one",
        always: ["approved", Outcome("denied", if: .wrongNumberConsumes)]
    )
    /// An approval with the claim `deny: false`.
    ///
    /// Nodes treat any value of `deny` as a denial.
    static let denyFalse = ConformanceCheck("the login after an approval with deny: false") {
        candidate in
        candidate.pushes == .node ? ["denied"] : ["approved"]
    }
}

// MARK: - Profiles

extension ConformanceCheck {
    static let profiles = ConformanceCheck("the user's profiles") { candidate in
        let usual: Outcome = "200 at devices/2fa/push"
        return candidate.version < .v7_5
            ? [usual, Outcome("200 at devices/push", if: .oldProfilePath)] : [usual]
    }
    static let profilesOfAnother = ConformanceCheck(
        "the user's profiles without a session",
        always: ["401", "403"]
    )

    /// Returns the check of the last login in a profile.
    ///
    /// The value is certain only for a device that approved a login.
    static func lastLogin(wasApproved: Bool) -> ConformanceCheck {
        ConformanceCheck("the last login in the profile") { candidate in
            if !candidate.keepsLastAccess { return ["absent"] }
            return wasApproved ? ["present"] : ["present", "absent"]
        }
    }
    /// Returns the check of the device's name in its profile.
    ///
    /// The profile has the name `Push Device` until a token update replaces it with the name that the device sends.
    static func deviceName(wasUpdated: Bool) -> ConformanceCheck {
        ConformanceCheck("the name of the device in the profile") { candidate in
            candidate.version.takesNewTokens && wasUpdated ? ["its own"] : ["Push Device"]
        }
    }
    /// The action `check` of profiles.
    ///
    /// The action is known for 7.5 and later. Nothing is known about earlier versions.
    static let checkOfProfiles = ConformanceCheck("the action check of profiles") { candidate in
        candidate.version >= .v7_5 ? ["200"] : ["200", "400", "404", "501"]
    }
    /// An update of a profile, which is possible from 8.1.0 on.
    ///
    /// It is not known which members the body requires in addition to a name.
    static let updateOfProfile = ConformanceCheck("an update of the new device's profile") { candidate in
        candidate.version.updatesProfiles ? ["200", "400"] : ["501"]
    }
    static let removalOfUnknown = ConformanceCheck("the removal of an unknown profile", always: ["404"])
    static let removal = ConformanceCheck("the removal of the new device's profile", always: ["200"])
    static let secondRemoval = ConformanceCheck("the repeated removal", always: ["404"])
    static let reset = ConformanceCheck("a reset when there is no profile left", always: ["200, result true"])
}
