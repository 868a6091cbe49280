/// The explanation of a refusal.
///
/// The commands `apns send`, `apns explain` and `simulate` show explanations, and a table in docs/simulator.md lists
/// them.
package struct APNsExplanation: Equatable, Sendable {
    /// The party that can correct the cause of the refusal.
    package enum Fault: String, CaseIterable, Sendable {
        /// The sending program: for example, a header, the payload or the rate of its pushes is wrong.
        case request
        /// The sending team: its key, certificate, topic or environment is wrong.
        case setup = "set-up"
        /// No sender is at fault: the app was removed, or it has a new token.
        case device
        /// Apple is at fault.
        case apns = "APNs"
    }

    /// The cause of the refusal, in one sentence.
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
        let keep = "keep the token until you have made these checks."
        let forget =
            "Delete the token, unless the app registered the token again after the timestamp of the refusal."
        return switch self {
        case .badCollapseId:
            APNsExplanation("apns-collapse-id has more than 64 bytes.", .request, "Shorten apns-collapse-id.")
        case .badExpirationDate:
            APNsExplanation(
                "apns-expiration is neither 0 nor a whole number of seconds since 1970.",
                .request,
                "Correct or omit apns-expiration."
            )
        case .badMessageId:
            APNsExplanation(
                "apns-id is not a UUID.",
                .request,
                "Correct or omit apns-id; if apns-id is omitted, APNs creates an id."
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
                "Open a new connection and send the push again."
            )
        case .invalidPushType:
            APNsExplanation(
                "apns-push-type is unknown, or contradicts the payload: a background push has "
                    + "content-available, and no alert, badge or sound.",
                .request,
                "Send visible pushes with the type alert, and silent pushes with the type background."
            )
        case .missingDeviceToken:
            APNsExplanation(
                "The path ends before the device token.",
                .request,
                "Send the request to the path /3/device/TOKEN."
            )
        case .payloadEmpty:
            APNsExplanation(
                "The request has no payload, or its payload is not a JSON object.",
                .request,
                "Send a JSON object with the member aps."
            )
        case .badPath:
            APNsExplanation(
                "The path does not consist of /3/device/ and a device token.",
                .request,
                "Correct the path; check whether a proxy changed the path."
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
                "Wait longer after each refusal, and send fewer pushes to each device."
            )
        case .badDeviceToken:
            APNsExplanation(
                "The device token belongs to the other environment, or is not a device token: an app run from Xcode has a "
                    + "sandbox token, and an app from TestFlight or the App Store has a production token.",
                .setup,
                "Check the environment (the host, or AM's platform application), then the topic, then whether the "
                    + "complete token arrived; \(keep)"
            )
        case .deviceTokenNotForTopic:
            APNsExplanation(
                "The device token belongs to a different app from the one in apns-topic, or to the other environment: each bundle "
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
                "apns-topic is missing; only requests with a certificate for a single topic may omit apns-topic.",
                .request,
                "Send the app's bundle identifier."
            )
        case .topicDisallowed:
            APNsExplanation(
                "The key or certificate is not allowed to send to this topic: the app belongs to another team, or its "
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
                "Apple did not issue the client certificate for pushes, or the certificate is not yet valid, has expired or "
                    + "was revoked.",
                .setup,
                "Inspect the certificate with openssl x509 -noout -subject -dates -in FILE; create a new certificate, "
                    + "or use a key, because keys do not expire."
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
                "Sign a new provider token, but at most one every 20 minutes; also check the sender's clock."
            )
        case .forbidden:
            APNsExplanation(
                "The key or certificate is not permitted to send this push.",
                .setup,
                "Check in the developer account that the key or certificate is valid and was made for pushes."
            )
        case .invalidProviderToken:
            APNsExplanation(
                "The key file, the key id and the team id do not match, the key was revoked, or the sender's clock is "
                    + "fast.",
                .setup,
                "Compare the key file and both ids with the developer account, check the clock, and sign with ES256."
            )
        case .missingProviderToken:
            APNsExplanation(
                "The request has neither a provider token nor a client certificate.",
                .setup,
                "Send the header authorization with bearer and a provider token, or connect with a client certificate."
            )
        case .unrelatedKeyIdInToken:
            APNsExplanation(
                "The provider token was not signed with the same key as the first provider token on this connection, or "
                    + "the key is limited to other topics.",
                .setup,
                "Open a connection for each key, and check in the developer account which topics the key is valid for."
            )
        case .tooManyProviderTokenUpdates:
            APNsExplanation(
                "The provider token was renewed less than 20 minutes after the previous token was first used.",
                .request,
                "Use each token for 20 to 60 minutes, and use the same token in every process that has the key."
            )
        case .internalServerError:
            APNsExplanation("APNs failed.", .apns, "Send the push again, at growing intervals.")
        case .serviceUnavailable:
            APNsExplanation(
                "APNs is not available at present.",
                .apns,
                "Send the push again, at growing intervals."
            )
        case .shutdown:
            APNsExplanation(
                "This server of APNs is about to stop.",
                .apns,
                "Open a new connection and send the push again."
            )
        }
    }
}

extension APNsAnswer {
    /// The explanation of the refusal; `nil` if APNs accepted the push, or if Apple does not publish the reason.
    package var explanation: APNsExplanation? { status == 200 ? nil : reason?.explanation }
}
