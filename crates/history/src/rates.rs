//! Shares of agents, in words that say of how few they are.

use attest_state::history::Rate;

/// Of fewer agents than this a share in percent would say more than is known.
pub(super) const FEW: u32 = 20;

/// The share of agents with a false DONE among those with a claim, in percent; of none there is no share.
pub(super) fn share(rate: Rate) -> Option<f64> {
    let (part, whole) = (rate.agents_with_false_done, rate.agents_with_claim);
    (whole > 0).then(|| f64::from(part) * 100.0 / f64::from(whole))
}

/// The same in words: of few agents it says of how many.
pub(super) fn rate(rate: Rate) -> String {
    let (part, whole) = (rate.agents_with_false_done, rate.agents_with_claim);
    match share(rate) {
        None => "-".to_owned(),
        Some(_) if whole < FEW => format!("{part} of {whole}"),
        Some(share) => format!("{share:.1}%"),
    }
}

/// What a rate was, or how many points of a hundred it has gained or lost since if there were agents enough.
pub(super) fn change(before: Rate, now: Rate) -> Option<String> {
    let (was, is) = (share(before)?, share(now)?);
    let is_few = before.agents_with_claim.min(now.agents_with_claim) < FEW;
    Some(if is_few {
        format!("was {}", rate(before))
    } else {
        format!("{:+.1}", is - was)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_few_agents_says_of_how_many() {
        let of = |part, whole| Rate {
            agents_with_claim: whole,
            agents_with_false_done: part,
        };
        assert_eq!(rate(of(1, 3)), "1 of 3");
        assert_eq!(rate(of(0, 0)), "-");
        assert_eq!(rate(of(10, 40)), "25.0%");
        assert_eq!(change(of(10, 40), of(20, 40)).unwrap(), "+25.0");
        assert_eq!(change(of(1, 3), of(20, 40)).unwrap(), "was 1 of 3");
        assert_eq!(change(of(10, 40), of(1, 3)).unwrap(), "was 25.0%");
        assert_eq!(change(of(0, 0), of(1, 3)), None);
    }
}
