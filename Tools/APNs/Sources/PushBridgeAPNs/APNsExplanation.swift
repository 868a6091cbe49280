/// The explanation of a refusal.
///
/// `apns send`, `apns explain` and `simulate` show it, and a table in docs/simulator.md contains it.
package struct APNsExplanation: Equatable, Sendable {
    /// The party that can correct the cause of the refusal.
    package enum Fault: String, CaseIterable, Sendable {
        /// The sending program: a header, the payload or the rate of its pushes is wrong.
        case request
        /// The sending team: its key, certificate, topic or environment is wrong.
        case setup = "set-up"
        /// No sender is at fault: the app was removed, or it has another token.
        case device
        /// Apple is at fault.
        case apns = "APNs"
    }

    /// The cause of the answer, in one sentence.
    package let cause: String
    /// The party that can correct the cause of the refusal.
    package let fault: Fault
    /// The remedy, in one sentence.
    package let remedy: String

    fileprivate init(_ cause: String, _ fault: Fault, _ remedy: String) {
        self.cause = cause
        self.fault = fault
        self.remedy = remedy
    }

    /// The three parts and their names, for display.
    package var lines: [(name: String, text: String)] {
        [("cause", cause), ("fault", fault.rawValue), ("do", remedy)]
    }
}

extension APNsReason {
    /// The explanation of the refusal.
    package var explanation: APNsExplanation {
        let keep = "keep the token until all of this is right."
        let forget =
            "Forget the token, unless the app registered it again after the time that came with the refusal."
        return switch self {
        case .badCollapseId:
            APNsExplanation("apns-collapse-id has more than 64 bytes.", .request, "Shorten it.")
        case .badExpirationDate:
            APNsExplanation(
                "apns-expiration is neither 0 nor a whole number of seconds since 1970.",
                .request,
                "Correct or omit it."
            )
        case .badMessageId:
            APNsExplanation(
                "apns-id is not a UUID.",
                .request,
                "Correct the id or omit it; if it is omitted, APNs creates one."
            )
        case .badPriority:
            APNsExplanation(
                "apns-priority is not 10, 5 or 1, or it is 10 and the push is silent.",
                .request,
                "Send silent pushes with priority 5, and alerts with priority 10."
            )
        case .duplicateHeaders:
            APNsExplanation("The request contains a header twice.", .request, "Send each header once.")
        case .idleTimeout:
            APNsExplanation(
                "The connection was unused for too long.",
                .request,
                "Open a new connection and send again."
            )
        case .invalidPushType:
            APNsExplanation(
                "apns-push-type is unknown, or contradicts the payload: a background push has "
                    + "content-available, and no alert, badge or sound.",
                .request,
                "Send visible pushes with the type alert, and silent ones with background."
            )
        case .missingDeviceToken:
            APNsExplanation(
                "The path ends before the device token.",
                .request,
                "Send to /3/device/ and the token."
            )
        case .payloadEmpty:
            APNsExplanation(
                "There is no payload, or it is not a JSON object.",
                .request,
                "Send a JSON object that has aps."
            )
        case .badPath:
            APNsExplanation(
                "The path does not consist of /3/device/ and a device token.",
                .request,
                "Correct the path; a proxy in between may have changed it."
            )
        case .methodNotAllowed: APNsExplanation("The method is not POST.", .request, "Send with POST.")
        case .payloadTooLarge:
            APNsExplanation(
                "The payload has more than 4,096 bytes, or more than 5,120 for a call.",
                .request,
                "Shorten the payload; for a push from PingAM, shorten the message or the custom payload."
            )
        case .tooManyRequests:
            APNsExplanation(
                "Too many pushes were sent to one device in a short time.",
                .request,
                "Wait longer after each refusal, and send a device less often."
            )
        case .badDeviceToken:
            APNsExplanation(
                "The device token belongs to the other environment, or is not a device token: an app run from Xcode has a "
                    + "sandbox token, and an app from TestFlight or the App Store has a production token.",
                .setup,
                "Check the environment (the host, or AM's platform application), then the topic, then that the "
                    + "token arrived whole; \(keep)"
            )
        case .deviceTokenNotForTopic:
            APNsExplanation(
                "The device token belongs to another app than the one in apns-topic, or to the other environment: each bundle "
                    + "identifier, such as that of a test build, has its own tokens.",
                .setup,
                "Check the environment, then send with the bundle identifier of the app that registered the token; "
                    + keep
            )
        case .badTopic:
            APNsExplanation(
                "apns-topic has characters that no bundle identifier has, or does not match apns-push-type: the topic "
                    + "of a call ends with .voip, and the topic of an alert does not.",
                .setup,
                "Send the app's bundle identifier, with the suffix of the push type."
            )
        case .missingTopic:
            APNsExplanation(
                "apns-topic is missing; only a certificate for a single topic does not require it.",
                .request,
                "Send the app's bundle identifier."
            )
        case .topicDisallowed:
            APNsExplanation(
                "The key or certificate may not send to this topic: the app belongs to another team, or its "
                    + "bundle identifier is mistyped.",
                .setup,
                "Check that the topic is the app's bundle identifier, and that the key or certificate belongs to the app's team."
            )
        case .expiredToken:
            APNsExplanation(
                "The device token has expired.",
                .device,
                forget
            )
        case .unregistered:
            APNsExplanation(
                "The app was removed from the device, or no longer registers for this topic.",
                .device,
                forget
            )
        case .badCertificate:
            APNsExplanation(
                "The client certificate is not one that Apple made for pushes, is outside its validity period, or "
                    + "was revoked.",
                .setup,
                "Inspect the certificate with openssl x509 -noout -subject -dates -in FILE; make a new certificate, or "
                    + "make a key, because keys do not expire."
            )
        case .badCertificateEnvironment:
            APNsExplanation(
                "The client certificate is for the other environment.",
                .setup,
                "Send to the host of the certificate's environment, or use a certificate for both environments."
            )
        case .badEnvironmentKeyIdInToken:
            APNsExplanation(
                "The key is limited to the other environment.",
                .setup,
                "Send to the host of the key's environment, or use a key for both environments."
            )
        case .expiredProviderToken:
            APNsExplanation(
                "The provider token was signed more than an hour ago, or the sender's clock is slow.",
                .request,
                "Sign a new token, but never more often than every 20 minutes; check the clock."
            )
        case .forbidden:
            APNsExplanation(
                "The key or certificate is not permitted to send this push.",
                .setup,
                "Check in the developer account that the key or certificate is valid and was made for pushes."
            )
        case .invalidProviderToken:
            APNsExplanation(
                "The key file, key id and team id do not go together, the key was revoked, or the sender's clock is "
                    + "fast.",
                .setup,
                "Compare the key file and both ids with the developer account, check the clock, and sign with ES256."
            )
        case .missingProviderToken:
            APNsExplanation(
                "The request has neither a provider token nor a client certificate.",
                .setup,
                "Send the header authorization with bearer and a token, or connect with the certificate."
            )
        case .unrelatedKeyIdInToken:
            APNsExplanation(
                "The provider token was not signed with the same key as the first provider token on this connection, or "
                    + "the key is limited to other topics.",
                .setup,
                "Open a connection for each key, and check in the developer account which topics the key is for."
            )
        case .tooManyProviderTokenUpdates:
            APNsExplanation(
                "The provider token was renewed twice within 20 minutes.",
                .request,
                "Use each token for 20 to 60 minutes, and use the same token in every process that has the key."
            )
        case .internalServerError:
            APNsExplanation("APNs failed.", .apns, "Send again at growing intervals.")
        case .serviceUnavailable:
            APNsExplanation("APNs is not available at present.", .apns, "Send again at growing intervals.")
        case .shutdown:
            APNsExplanation(
                "This server of APNs is about to stop.",
                .apns,
                "Open a new connection and send again."
            )
        }
    }
}

extension APNsAnswer {
    /// The explanation of the refusal; `nil` if APNs accepted the push, or if Apple does not publish the reason.
    package var explanation: APNsExplanation? { status == 200 ? nil : reason?.explanation }
}
