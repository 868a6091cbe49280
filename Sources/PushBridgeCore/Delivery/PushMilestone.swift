import Foundation

/// One step of a login push on this phone: its arrival, its presentation in the foreground, or its answer.
///
/// A milestone contains only cases of ``Kind``, ``Result`` and ``Delay``, and no name, id, text, address or
/// exact time.
public struct PushMilestone: Codable, Equatable, Sendable {
    /// The step.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// The push reached the app or its extension.
        case arrival
        /// The app decided how to show the push in the foreground.
        case presentation
        /// An answer was sent.
        case answer
    }

    /// The result of the step.
    public enum Result: String, CaseIterable, Codable, Sendable {
        /// Arrival: the push was verified and stored for the first time.
        case stored
        /// Arrival: the push cannot be verified, or its account was deleted.
        case refused
        /// Arrival: the push could not be stored yet, for example before the first unlock.
        case postponed
        /// Presentation: the push was shown as a banner.
        case shown
        /// Presentation: the push was only added to the list of notifications.
        case listed
        /// Presentation: the push was not shown, because it cannot be answered or an answer is being sent.
        case hidden
        /// Answer: the server accepted an approval.
        case approved
        /// Answer: the server accepted a denial.
        case denied
        /// Answer: the server could not be reached or refused the answer.
        case failed
    }

    /// The time since the server sent the push.
    public enum Delay: String, CaseIterable, Codable, Sendable {
        /// Less than a second.
        case under1s
        /// Less than ten seconds.
        case under10s
        /// Less than a minute.
        case under1min
        /// Less than ten minutes.
        case under10min
        /// Ten minutes or more.
        case longer

        package init(seconds: Double) {
            self =
                switch seconds {
                case ..<1: .under1s
                case ..<10: .under10s
                case ..<60: .under1min
                case ..<600: .under10min
                default: .longer
                }
        }
    }

    /// The step.
    public let kind: Kind
    /// The result of the step.
    public let result: Result
    /// The time between the sending of the push and the step, by the clocks of the server and the phone.
    ///
    /// For an answer to a push without a sending date, the value is the time since the push's arrival. The
    /// value is `nil` for presentations, and if the time is not known.
    public let delay: Delay?

    package init(_ kind: Kind, _ result: Result, delay: Delay? = nil) {
        (self.kind, self.result, self.delay) = (kind, result, delay)
    }
}

extension PushMilestone {
    /// Creates the milestone of an arrival; `nil` for a push that was already stored.
    package init?(_ arrival: PushArrival) {
        switch arrival {
        case .stored(_, isNew: false): return nil
        case .stored(let push, isNew: true):
            // If the server sent no date, `sentAt` is the date of the arrival, from which no delay can be computed.
            let sentAt = push.sentAt.flatMap { $0 == push.createdAt ? nil : $0 }
            let delay = sentAt.map { Delay(seconds: push.createdAt.timeIntervalSince($0)) }
            self.init(.arrival, .stored, delay: delay)
        case .refused: self.init(.arrival, .refused)
        case .postponed: self.init(.arrival, .postponed)
        }
    }

    /// Creates the milestone of a presentation in the foreground.
    package init(_ presentation: PushPresentation) {
        let isListed = presentation.contains(.list)
        self.init(.presentation, presentation.contains(.banner) ? .shown : isListed ? .listed : .hidden)
    }
}
