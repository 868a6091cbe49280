import Foundation

extension OathCredential {
    /// The code at a time, or the code for the present counter, which it moves on.
    ///
    /// Where RFC 4226 has no code for a counter, the counter moves on all the same: it would never work again.
    mutating func nextCode(at date: Date) throws(OathError) -> Result<OathCodeInfo, OathError> {
        switch movingFactor {
        case .time(let period): return timeCode(at: date, period: period)
        case .counter(let counter):
            let (next, overflow) = counter.addingReportingOverflow(1)
            guard !overflow else { throw .codeGenerationFailed("The counter is at its end.", nil) }
            let code = counterCode(counter)
            movingFactor = .counter(next)
            return code
        }
    }

    private func timeCode(at date: Date, period: Int) -> Result<OathCodeInfo, OathError> {
        do throws(OneTimePasswordError) {
            let code = try password.code(at: date, period: period)
            let elapsed = date.timeIntervalSince1970.truncatingRemainder(dividingBy: Double(period))
            return .success(
                OathCodeInfo(
                    code: code,
                    timeRemaining: period - Int(elapsed),
                    counter: -1,
                    progress: elapsed / Double(period),
                    totalPeriod: period
                )
            )
        } catch {
            return .failure(OathError(error))
        }
    }

    private func counterCode(_ counter: Int) -> Result<OathCodeInfo, OathError> {
        do throws(OneTimePasswordError) {
            let code = try password.code(counter: counter)
            return .success(
                OathCodeInfo(code: code, timeRemaining: -1, counter: counter, progress: 0, totalPeriod: 0)
            )
        } catch {
            return .failure(OathError(error))
        }
    }
}
