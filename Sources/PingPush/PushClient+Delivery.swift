public import Foundation
import PingLogger
public import PushBridgeCore
package import PushBridgeNotifications
import PushBridgePlatform

#if canImport(UserNotifications)
public import UserNotifications
#endif

// Methods for an app's delegates. They ignore foreign pushes: pushes that are not PingAM's and that no custom
// handler accepts. By default, a method that handles one push returns after at most 25 seconds, because the system
// terminates an app after 30 seconds. If an answer is still being sent at that time, it is stored later.
extension PushClient {
    /// Verifies and stores a push that arrived in the foreground, and returns how to present it.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - isolation: The caller's actor; the payload is used only on this actor.
    /// - Returns: The presentation; it is empty if the push is invalid, cannot be answered or is being answered. `nil`
    ///   for a foreign push.
    public func presentation(
        of userInfo: [AnyHashable: Any],
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushPresentation? {
        guard let push = incoming(userInfo) else { return nil }
        return await outcome(within: PushDeadline.standard, on: configuration.clock, or: .list) { [self] in
            let presentation = await arrival(of: push).presentation(at: configuration.now())
            configuration.onMilestone?(PushMilestone(presentation))
            return presentation
        }
    }

    /// Verifies and stores a push that arrived in the background, and returns the result for the system.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - deadline: The maximum duration of the call.
    ///   - isolation: The caller's actor; the payload is used only on this actor.
    /// - Returns: The result; `nil` for a foreign push.
    public func backgroundResult(
        of userInfo: [AnyHashable: Any],
        deadline: Duration = .seconds(25),
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushBackgroundResult? {
        guard let push = incoming(userInfo) else { return nil }
        return await outcome(within: deadline, on: configuration.clock, or: .failed) { [self] in
            await arrival(of: push).backgroundResult
        }
    }

    /// Handles the user's response to a banner: verifies and stores the push, and sends the answer if the user gave
    /// one.
    /// - Parameters:
    ///   - actionId: The identifier of the action; see `PushAction.Kind`, `PushActions.defaultAction` and
    ///     `PushActions.dismissAction`.
    ///   - userInfo: The payload.
    ///   - text: The text that the user typed.
    ///   - isolation: The caller's actor; the payload is used only on this actor.
    /// - Returns: The outcome.
    public func perform(
        _ actionId: String,
        userInfo: [AnyHashable: Any],
        text: String? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushReaction {
        guard PushActions.contains(actionId), let push = incoming(userInfo) else { return .foreign }
        return await reaction(to: actionId, push, text: text)
    }

    /// Verifies and stores the pushes that the system's `deliveredNotifications` returns, if they are not stored yet.
    ///
    /// Pushes that cannot be stored are logged.
    /// - Parameters:
    ///   - delivered: The payloads; foreign pushes are ignored.
    ///   - dates: The delivery date of each payload, for pushes without a date from the server. If the array has no
    ///     date for a payload, the current time is used.
    ///   - isolation: The caller's actor; the payloads are used only on this actor.
    /// - Returns: The notifications that can still be answered, without duplicates.
    public func receive(
        delivered: [[AnyHashable: Any]],
        at dates: [Date] = [],
        isolation: isolated (any Actor)? = #isolation
    ) async -> [PushNotification] {
        let now = configuration.now()
        var open: [PushNotification] = []
        for (index, push) in delivered.map(incoming).enumerated() {
            guard let push else { continue }
            let date = index < dates.count ? min(dates[index], now) : now
            if case .stored(let stored, _) = await arrival(of: push, at: date), stored.isAnswerable(at: now),
                !open.contains(where: { $0.id == stored.id })
            {
                open.append(stored)
            }
        }
        return open
    }

    /// Returns the number for the app icon's badge: how many pushes can still be answered.
    /// - Returns: The number.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func badge() async throws -> Int {
        let now = configuration.now()
        return try await core.read { try $0.badge(at: now) }
    }
}

extension PushClient {
    /// Handles a response.
    ///
    /// If the app passes the same response again, the later call only waits until the response has been handled, and
    /// returns ``PushReaction/repeated``.
    package func perform(
        _ actionId: String,
        of response: HandledResponses.Key,
        userInfo: [AnyHashable: Any],
        text: String?,
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushReaction {
        guard PushActions.contains(actionId), let push = incoming(userInfo) else { return .foreign }
        return await withCheckedContinuation { continuation in
            let isFirst = responses.take(response) { continuation.resume(returning: $0) }
            guard isFirst else { return }
            Task { responses.end(response, await reaction(to: actionId, push, text: text)) }
        }
    }

    private func reaction(
        to actionId: String,
        _ push: Swift.Result<ParsedPush, any Error>,
        text: String?
    ) async -> PushReaction {
        let late = PushDeadline.late(actionId)
        return await outcome(within: PushDeadline.standard, on: configuration.clock, or: late) { [self] in
            await react(to: actionId, push, text: text)
        }
    }

    /// Returns the push in a payload, or the error if the push is invalid; `nil` for a foreign push.
    private func incoming(_ userInfo: [AnyHashable: Any]) -> Swift.Result<ParsedPush, any Error>? {
        do {
            return try ParsedPush(userInfo, configuration.customPushHandlers).map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    /// Verifies and stores a push; a failure is logged.
    private func arrival(
        of push: Swift.Result<ParsedPush, any Error>,
        at date: Date? = nil
    ) async -> PushArrival {
        do {
            let received = try await receive(try push.get(), at: date)
            return .stored(received.notification, isNew: received.isNew)
        } catch let error as PushError {
            configuration.logger.e("A push was not stored.", error: error)
            guard case .messageParsingFailed = error else {
                return .postponed(reason: error.localizedDescription)
            }
            return .refused(reason: error.localizedDescription)
        } catch {
            configuration.logger.e("A push was not stored.", error: error)
            return .postponed(reason: error.localizedDescription)
        }
    }

    private func react(
        to actionId: String,
        _ push: Swift.Result<ParsedPush, any Error>,
        text: String?
    ) async -> PushReaction {
        switch await arrival(of: push).plan(for: actionId, text: text, id: \.id) {
        case .ended(let reaction):
            return reaction
        case .answer(let answer, let push):
            do {
                guard try await self.answer(answer, to: push.id) else {
                    return .failed(push.id, reason: "The push was answered already.")
                }
                return .answered(push.id, isApproval: answer.isApproval)
            } catch {
                return .failed(push.id, reason: error.localizedDescription)
            }
        }
    }
}

#if canImport(UserNotifications)
extension PushClient {
    /// Handles the user's response to a banner; see ``perform(_:userInfo:text:)``.
    ///
    /// In iOS 27 and later, the system may deliver the tap that starts an app twice: in the options of the first
    /// scene (`notificationResponse`) and, if the app set the notification center's delegate before it finished
    /// launching, to the delegate. Pass both responses to this method: the push is stored and answered once, and the
    /// later call returns ``PushReaction/repeated``.
    /// - Parameters:
    ///   - response: The response.
    ///   - isolation: The caller's actor; the response is used only on this actor.
    /// - Returns: The outcome.
    public func perform(
        _ response: UNNotificationResponse,
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushReaction {
        await perform(
            response.actionIdentifier,
            of: response.key,
            userInfo: response.notification.request.content.userInfo,
            text: response.typedText
        )
    }
}
#endif
